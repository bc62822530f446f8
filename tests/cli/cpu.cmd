# What it says is this machine's; the fields are always the same.
"$JCCSAFE" cpu | sed 's/ .*//'
"$JCCSAFE" cpu -q
test $? -le 1 && echo known
"$JCCSAFE" cpu file
