for command in as check cpu; do
    "$JCCSAFE" "$command" --help
    echo "exit $?"
done
