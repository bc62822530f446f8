// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A throw in a loop: the call sites of its table stand a few bytes apart.
int g(int x)
{
    if (x == 3)
        throw x;
    return x;
}

int f(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        try {
            s += g(i & 3);
        } catch (int e) {
            s += 100 * e;
        }
    }
    return s;
}

int main()
{
    return f(40) == 10 * (0 + 1 + 2 + 300) ? 0 : 1;
}
