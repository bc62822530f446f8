// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions through many frames: destructors on the way in their order, handlers that look and throw again, nested ones,
// std::exception_ptr across threads, constructors that fail, thread-local and function-local objects.
#include "exceptions.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::string trail;

struct Mark {
    char name;
    explicit Mark(char n) : name(n)
    {
        trail += n;
    }
    ~Mark()
    {
        trail += static_cast<char>(name - 'a' + 'A');
    }
    Mark(const Mark &) = delete;
    Mark &operator=(const Mark &) = delete;
};

struct Counter : Visitor {
    int visits = 0;
    int visit(int depth) override
    {
        Mark mark(static_cast<char>('a' + depth % 26));
        return ++visits * depth;
    }
};

static void nested_depth(const std::exception &e, int level, std::string &out)
{
    out += std::to_string(level) + ":" + e.what() + ";";
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
        nested_depth(inner, level + 1, out);
    }
}

static void through_frames()
{
    for (int floor : {1, 6, 12, 25, 60}) {
        Counter counter;
        try {
            go_down(counter, 1, floor);
            std::puts("nothing was thrown");
        } catch (const DeepTrouble &trouble) {
            std::string all;
            nested_depth(trouble, 0, all);
            std::printf("%d %s %s %d %s\n", counter.visits, trouble.kind(), trouble.what(), trouble.depth, all.c_str());
        } catch (const Trouble &trouble) {
            std::printf("%d %s %s %d\n", counter.visits, trouble.kind(), trouble.what(), trouble.depth);
        }
    }
    std::printf("%s\n", trail.c_str());
}

struct Half {
    Mark first{'p'};
    std::unique_ptr<Mark> second;
    Mark third{'q'};
    explicit Half(int n)
    try : second(n ? new Mark('r') : throw n), third('s') {
        Mark local('t');
        if (n > 1)
            throw std::string("built half");
    } catch (...) {
        trail += '!';
    }
};

static void half_built()
{
    trail.clear();
    for (int n = 0; n < 3; n++) {
        try {
            Half half(n);
            trail += '.';
        } catch (int value) {
            trail += static_cast<char>('0' + value);
        } catch (const std::string &text) {
            trail += text[0];
        }
    }
    std::printf("%s\n", trail.c_str());
}

static void across_threads()
{
    std::mutex mutex;
    std::map<int, std::exception_ptr> thrown;
    std::atomic<int> finished{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            thread_local std::string own = std::to_string(i);
            Counter counter;
            try {
                go_down(counter, 1, 30 + i);
            } catch (...) {
                std::lock_guard<std::mutex> lock(mutex);
                thrown[i] = std::current_exception();
            }
            finished += static_cast<int>(own.size());
        });
    for (std::thread &thread : threads)
        thread.join();
    for (const auto &entry : thrown) {
        try {
            std::rethrow_exception(entry.second);
        } catch (const Trouble &trouble) {
            std::printf("%d %s %d\n", entry.first, trouble.what(), trouble.depth);
        }
    }
    std::printf("%d\n", finished.load());
}

static int once()
{
    static const std::vector<int> made = [] {
        std::vector<int> v(100);
        std::generate(v.begin(), v.end(), [n = 7]() mutable { return n = n * 31 % 1009; });
        std::sort(v.begin(), v.end(), std::greater<int>());
        return v;
    }();
    return made[3] + made[96];
}

// A noexcept function whose exception ends in the terminate handler.
static int forbidden(int n) noexcept
{
    return n > 3 ? throw n : n;
}

int main()
{
    std::printf("%s %d %d\n", made_before_main.c_str(), catch_inside(600), once() + once());
    through_frames();
    half_built();
    trail.clear();
    std::thread([] {}).join();
    across_threads();
    std::set_terminate([] {
        std::puts("terminated as it should be");
        std::fflush(nullptr);
        std::_Exit(42);
    });
    return forbidden(2) + forbidden(4);
}
