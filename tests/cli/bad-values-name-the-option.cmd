for words in --policy=best --policy= --align-branch=jcc+loop --align-branch=jcc+ --align-branch=all --align-branch-boundary=24 \
    --align-branch-boundary=8 --align-branch-boundary=512 --align-branch-boundary=-32 --align-branch-boundary=0x20 \
    --align-branch-boundary=32k --align-branch-boundary= --align-branch-boundary=4294967328 --align-branch-boundary=18446744073709551648 \
    --align-branch-prefix-size=6 --align-branch-prefix-size=x --prices=cheap --prices=1 --prices=1,2,3 --prices=-1,0 --prices=,1 --profile-use=x --engine=gas --color=maybe --report=yes --32=1 -o -I --policy; do
    "$JCCSAFE" as $words 2>&1
    echo "exit $?"
done | sed 's/^exit 2$//' | grep .
"$JCCSAFE" as -o '' missing.s
