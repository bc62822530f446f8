# Control characters in file names and symbols, and in what is answered, are printed as \xNN.
name=$(printf 'a\033[31m\nb')
printf '"f\033[5mg":\n.globl "f\033[5mg"\n.skip 31,0x90\nret\n' | as -o "$name" -
"$JCCSAFE" check "$name"
"$JCCSAFE" check "--$name"
"$JCCSAFE" check "missing $(printf '\302\233')2J é"
