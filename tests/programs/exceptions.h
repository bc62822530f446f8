// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESTS_PROGRAMS_EXCEPTIONS_H
#define TESTS_PROGRAMS_EXCEPTIONS_H

#include <stdexcept>
#include <string>

// Of exceptions_part.cpp, which may be a shared library.
struct Trouble : std::runtime_error {
    int depth;
    Trouble(const std::string &what, int at) : std::runtime_error(what), depth(at)
    {
    }
    virtual const char *kind() const;
};

struct DeepTrouble : Trouble {
    using Trouble::Trouble;
    const char *kind() const override;
};

struct Visitor {
    virtual ~Visitor();
    virtual int visit(int depth) = 0;
};

int go_down(Visitor &visitor, int depth, int floor);
int catch_inside(int n);
extern const std::string made_before_main;

#endif
