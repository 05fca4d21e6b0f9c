# SPDX-License-Identifier: MIT
# bash completion of clprim(1). What it offers is what `clprim COMMAND --help` lists.
_clprim()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands="devices operations self-test sort sum min max scan histogram unique top-k trace help"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
        return
    fi
    case $previous in
    -t | --type)
        mapfile -t COMPREPLY < <(compgen -W "i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64" -- "$current")
        return
        ;;
    --device)
        mapfile -t COMPREPLY < <(compgen -W "gpu cpu accelerator" -- "$current")
        return
        ;;
    --nan)
        mapfile -t COMPREPLY < <(compgen -W "last total" -- "$current")
        return
        ;;
    --report | --html)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    -k | --k | -n | --bins | --range | --memory | --primitive | --group | --lanes | --banks) return ;;
    esac
    if [[ $current == -* ]]; then
        local options
        options=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
    fi
    case $command in
    trace)
        case $COMP_CWORD in
        2) mapfile -t COMPREPLY < <(compgen -W "reduce scan histogram radix_sort bitonic_sort" -- "$current") ;;
        esac
        ;;
    devices | operations | self-test | help) ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
}
complete -o filenames -F _clprim clprim
