package batch

import "slices"

// Rounds runs calls in rounds, in order of arrival within each. Calls that have a key in common, such as the id of a
// customer, run in different rounds, in order of arrival. keys is called again for each round, because a round may
// change on what later calls depend.
func Rounds[Call any](calls []Call, keys func(Call) []string, run func(round []Call) error) error {
	for len(calls) > 0 {
		var round, dependent []Call
		taken := map[string]bool{}
		for _, c := range calls {
			all := keys(c)
			if slices.ContainsFunc(all, func(key string) bool { return taken[key] }) {
				dependent = append(dependent, c)
			} else {
				round = append(round, c)
			}
			for _, key := range all {
				taken[key] = true
			}
		}
		if err := run(round); err != nil {
			return err
		}
		calls = dependent
	}
	return nil
}
