package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"punchcard/platform/keytext"
)

// typed are the options by which values of flags are read whose errors would otherwise not say what to write.
func typed() []kong.Option {
	return []kong.Option{
		kong.TypeMapper(reflect.TypeFor[time.Duration](), mapperOf("a duration", time.ParseDuration,
			"write a number with a unit, such as 90s, 5m or 24h")),
		kong.TypeMapper(reflect.TypeFor[netip.Prefix](), mapperOf("a network", netip.ParsePrefix,
			"write an address and the length of the prefix, such as 10.0.0.0/8 or 192.0.2.1/32")),
	}
}

// mapperOf reads values of a type.
func mapperOf[T any](what string, parse func(string) (T, error), remedy string) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto(what, &text); err != nil {
			return fmt.Errorf("want %s: %s", what, remedy)
		}
		value, err := parse(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("%q is not %s: %s", text, what, remedy)
		}
		target.Set(reflect.ValueOf(value))
		return nil
	}
}

// checkVariables refuses a variable whose name is nearly that of a setting, because it would be ignored. Others may
// belong to other programs: Kubernetes sets PUNCHCARD_SERVICE_HOST.
func checkVariables(names map[string]bool) error {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		setting, of := strings.CutPrefix(strings.TrimSuffix(name, "_FILE"), "PUNCHCARD_")
		if !of || len(setting) < shortestTypo || names[name] || names["PUNCHCARD_"+setting] {
			continue
		}
		for known := range names {
			if keytext.IsTypo(strings.TrimPrefix(known, "PUNCHCARD_"), setting) {
				return fmt.Errorf("the variable %s is no setting: did you mean %s?", name, known)
			}
		}
	}
	return nil
}

// shortestTypo is the length of the shortest name that is compared with those of settings.
const shortestTypo = 6

// errMissingValue replaces the error of a flag at the end of the command line.
var errMissingValue = errors.New("a value is missing after the flag")

// explain adds what to do to an error of the command line.
func explain(err error) error {
	if err == nil {
		return nil
	}
	if flag, _, ended := strings.Cut(err.Error(), `: expected string value but got "EOL"`); ended {
		return fmt.Errorf("%s: %w", flag, errMissingValue)
	}
	return err
}
