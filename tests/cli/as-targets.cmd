# needs: llvm
(yes nop | head -n 31; echo ret) >t.s
for words in "" --64 --32 --x32 "--32 --64"; do
    "$JCCSAFE" as $words -o t.o t.s
    echo "$words: $(readelf -h t.o | awk '/Class:|Machine:/ { sub(/^[^:]*: */, ""); print }' | paste -s -d' ')"
    "$JCCSAFE" check -q t.o && echo clean
done
