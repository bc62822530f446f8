// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coroutines: functions that are left and entered again in the middle, exceptions among the ways out.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

struct Numbers {
    struct promise_type {
        int value = 0;
        std::exception_ptr thrown;
        Numbers get_return_object()
        {
            return Numbers{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        std::suspend_always yield_value(int v)
        {
            value = v;
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            thrown = std::current_exception();
        }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Numbers(std::coroutine_handle<promise_type> h) : handle(h)
    {
    }
    Numbers(Numbers &&other) : handle(std::exchange(other.handle, nullptr))
    {
    }
    ~Numbers()
    {
        if (handle)
            handle.destroy();
    }
    bool next(int &out)
    {
        handle.resume();
        if (handle.promise().thrown)
            std::rethrow_exception(handle.promise().thrown);
        out = handle.promise().value;
        return !handle.done();
    }
};

static Numbers fibonacci(int limit)
{
    for (int a = 0, b = 1;; a = std::exchange(b, a + b)) {
        if (a > limit)
            throw std::length_error("over the limit");
        co_yield a;
    }
}

static Numbers odd_ones(int limit)
{
    Numbers all = fibonacci(limit);
    for (int n; all.next(n);)
        if (n % 2)
            co_yield n;
}

int main()
{
    int sum = 0;
    for (int limit : {10, 1000, 100000}) {
        try {
            Numbers numbers = odd_ones(limit);
            for (int n; numbers.next(n);)
                sum = sum * 3 + n;
        } catch (const std::length_error &e) {
            std::printf("%d %s\n", sum, e.what());
        }
    }
    return 0;
}
