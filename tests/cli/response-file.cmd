# Words are split at white space and quoted as GCC does; a response file may name another; it may not go round for ever.
as -o 'two words.o' "$CASES/affected.s"
printf '%s\n' 'check --summary' "'two words.o'" '@more' >words
printf '"two words.o" two\\ words.o\n\t--policy="cl"ang' >more
"$JCCSAFE" @words
echo "exit $?"
"$JCCSAFE" check @missing
echo "exit $?"
echo '@round' >round
"$JCCSAFE" check @round
echo "exit $?"
: >none
"$JCCSAFE" @none
echo "exit $?"
cp 'two words.o' @t.o
"$JCCSAFE" check --summary ./@t.o
