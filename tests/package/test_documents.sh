# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the documents name is there, and what is there is named by them.
. "$SOURCE_DIR/tests/package/common.sh"
cd "$SOURCE_DIR"
documents="README.md NEWS.md docs/*.md"

# Links lead to files, from wherever they stand.
for document in $documents; do
    for link in $(grep -oE '\]\([^):#]+' "$document" | cut -c 3-); do
        [ -e "$(dirname "$document")/$link" ] || fail "$document links to $link, which is not there"
    done
done
# So do the names of documents and scripts in any text.
texts="README.md docs include lib tools tests examples scripts bench cmake"
for file in $(grep -rhoE '\b(docs/[a-z0-9_-]+\.md|scripts/[a-z0-9-]+(\.sh)?)\b' $texts | sort -u); do
    [ -e "$file" ] || fail "$(grep -rlwF "$file" $texts | head -n 1) names $file, which is not there"
done
# Nobody finds a document that the first one does not link to.
for document in docs/*.md; do
    grep -qF "]($document)" README.md || fail "README.md does not link to $document"
done

# What scripts/test installs is in the table of what is needed.
packages=$(. scripts/setup.sh && echo "$BUILD_PACKAGES $TEST_PACKAGES")
for package in $packages; do
    grep '^|' README.md | grep -qF " $package " || fail "README.md does not say that $package is needed"
done
twice=$(grep '^| [^|]*|[^|]*|[^|]*|$' README.md | sort | uniq -d)
[ -z "$twice" ] || fail "README.md says twice: $twice"

# Every option of the build, and of the command.
for option in $(sed -n 's/^ *\(option\|jccsafe_setting\)(\(JCCSAFE_[A-Z_]*\) .*/\2/p' CMakeLists.txt cmake/*.cmake); do
    grep '^|' README.md | grep -qF "\`$option\`" || fail "README.md has no row for $option"
done
[ -n "${JCCSAFE-}" ] || skip "the documents hold, but the command is not built"
for command in as check cpu; do
    options=$("$JCCSAFE" $command --help | sed -n 's/^  \(-[a-z0-9-]*\).*/\1/p')
    [ -n "$options" ] || fail "jccsafe $command --help lists no options"
    for option in $options; do
        grep -E '^(\||- )' docs/command.md | grep -qE -e "\`$option[ =\`]" || fail "docs/command.md does not list $option of jccsafe $command"
    done
done
