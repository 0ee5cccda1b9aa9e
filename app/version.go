package app

import (
	"io/fs"
	"runtime/debug"

	"punchcard/migrations"
	"punchcard/platform/db"
)

// Version is the version of the program in semantic form.
const Version = "0.9.0"

// Commit returns the commit that the program was built from, with a + if files had changed; "unknown" without git.
func Commit() string {
	commit, changed := "unknown", ""
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return commit
	}
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+"
		}
	}
	return commit + changed
}

// Schema returns the number of the schema that the program makes.
func Schema() (int64, error) {
	names, err := fs.Glob(migrations.Files, "*.sql") // in the order of the numbers
	if err != nil {
		return 0, err
	}
	return db.MigrationNumber(names[len(names)-1])
}
