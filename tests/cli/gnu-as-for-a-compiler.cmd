# needs: llvm refcheck
# A compiler finds the command by the name of as, and its program runs.
mkdir bin
ln -s "$JCCSAFE" bin/as
cat >t.c <<'C'
#include <stdio.h>
static int steps(unsigned long n)
{
    int count = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}
int main(void)
{
    int most = 0;
    for (unsigned long n = 1; n < 10000; n++) {
        int count = steps(n);
        most = count > most ? count : most;
    }
    printf("%d\n", most);
    return 0;
}
C
for options in -O2 "-O2 -g" "-O2 -gdwarf-4" "-O0 -fPIC" "-O2 -Wa,--noexecstack,-mtune=generic64" -m32 "-O2 -pipe"; do
    gcc -Bbin $options -c -o t.o t.c && echo "$options: $("$REFCHECK" t.o | grep -o ' affected=0')"
    case $options in *-m32*) ;; *) gcc -o t t.o && ./t ;; esac
done
