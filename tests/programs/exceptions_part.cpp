// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of exceptions.cpp: exceptions pass through it, start in it and end in it.
#include "exceptions.h"
#include <vector>

const char *Trouble::kind() const
{
    return "trouble";
}

const char *DeepTrouble::kind() const
{
    return "deep trouble";
}

Visitor::~Visitor() = default;

static std::string make()
{
    std::string text;
    for (char c = 'a'; c < 'k'; c++)
        text.insert(text.begin(), c);
    return text;
}
const std::string made_before_main = make();

int go_down(Visitor &visitor, int depth, int floor)
{
    std::vector<int> weight(static_cast<size_t>(depth % 5) + 1, depth);
    std::string name = "level " + std::to_string(depth);
    int sum = visitor.visit(depth);
    if (depth == floor) {
        if (floor % 2)
            throw DeepTrouble(name, depth);
        throw Trouble(name, depth);
    }
    try {
        sum += go_down(visitor, depth + 1, floor);
    } catch (Trouble &trouble) {
        // Every seventh level looks at it and lets it go on.
        if (depth % 7 == 0) {
            trouble.depth += static_cast<int>(weight.size());
            throw;
        }
        if (depth % 11 == 0)
            std::throw_with_nested(DeepTrouble(name + " after " + trouble.what(), trouble.depth));
        throw;
    }
    return sum + weight.back();
}

static int throw_some(int n)
{
    switch (n % 6) {
    case 0: throw n;
    case 1: throw "text";
    case 2: throw std::out_of_range("range");
    case 3: throw Trouble("t", n);
    case 4: throw 2.5;
    default: return n;
    }
}

int catch_inside(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        try {
            sum += throw_some(i);
        } catch (int value) {
            sum += 10 * value;
        } catch (const char *text) {
            sum += text[1];
        } catch (const Trouble &trouble) {
            sum -= trouble.depth;
        } catch (const std::exception &e) {
            sum ^= e.what()[0];
        } catch (...) {
            sum += 1000;
        }
    }
    return sum;
}
