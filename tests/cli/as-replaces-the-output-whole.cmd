# needs: llvm
# The mode is that of a new file; a link stays a link; another name of the old file keeps the old contents.
echo 'ret' >t.s
echo old >old
ln old t.o
ln -s t.o link.o
umask 027
"$JCCSAFE" as -o link.o t.s
ls -l t.o | cut -c 1-10
test -L link.o && echo 'the link is a link'
cat old
head -c 4 t.o | tail -c 3
echo
umask 077
"$JCCSAFE" as -o t.o t.s
ls -l t.o | cut -c 1-10
ln -s nowhere dangling.o
"$JCCSAFE" as -o dangling.o t.s
head -c 4 dangling.o | tail -c 3
echo
ls -A
