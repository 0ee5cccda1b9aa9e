package main_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
)

// An endpoint, an event, a job and a setting that are added as docs/extending.md shows work through the API.
func TestExamplesOfExtending(t *testing.T) {
	if !testmode.Third(1) {
		t.Skip("another third is tested: this compiles the whole program again")
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	writeOverlay(t, overlay, changedFiles(t))
	// The setting is in a package that most others need. Without optimizations they take half of the time to compile.
	extended, err := apptest.Build(t.Context(), t.TempDir(), nil, "-ldflags=-s", "-overlay", overlay,
		"-gcflags=punchcard/...=-N -l")
	if err != nil {
		t.Fatal(err)
	}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		flags := flags(t, engine)
		command := serveCommand(append(flags, "--admin-password", "Secret-1")...)
		command.Path = extended
		s := &extendedServer{startCommand(t, command), ""}
		s.admin = s.token("/api/admin/login_check", "admin", "Secret-1")
		s.expect("POST", "store", "store[code]=TRY&store[name]=Try&store[currency]=EUR&store[active]=1&store[sandbox]=1", "")
		pos := s.expect("POST", "TRY/pos", "pos[name]=Shop&pos[identifier]=S&pos[location][street]=S&"+
			"pos[location][address1]=1&pos[location][postal]=1&pos[location][city]=C&pos[location][province]=P&"+
			"pos[location][country]=NO", `"posId":"([^"]+)"`)

		s.expect("GET", "TRY/pos/"+pos+"/average", "", `^{"average":0,"currency":"EUR"}`)

		s.expect("GET", "TRY/settings", "", `"tillGreeting":"Thank you"`)
		s.expect("POST", "TRY/settings", "settings[tillGreeting]=Until soon&settings[allTimeNotLocked]=1", "")
		s.expect("GET", "TRY/settings", "", `"tillGreeting":"Until soon"`)

		s.expect("POST", "TRY/level/create", "level[translations][en][name]=L&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=L&level[reward][value]=5&level[reward][code]=L", "")
		ida := s.expect("POST", "TRY/admin/customer/register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.com&customer[agreement1]=1", `"customerId":"([^"]+)"`)
		s.expect("POST", "TRY/customer/"+ida+"/label", "labels[0][key]=vip&labels[0][value]=yes", "")
		s.expect("GET", "event?direction=DESC", "",
			`"labels":1,"updateAt":"[^"]+"},"type":"Platform.Domain.User.Event.CustomerLabelsWereUpdated"`)

		seller := s.expect("POST", "TRY/seller/register", "seller[firstName]=S&seller[lastName]=S&"+
			"seller[email]=seller@example.com&seller[plainPassword]=Correct-Horse-7&seller[active]=1&seller[posId]="+pos,
			`"sellerId":"([^"]+)"`)
		s.token("/api/TRY/seller/login_check", "seller@example.com", "Correct-Horse-7")
		s.expect("POST", "TRY/admin/clock", "clock[forward]=P1Y1D", `{"job":"idle sellers","handled":1}`)
		s.expect("GET", "TRY/seller/"+seller, "", `"active":false`)
		if status := s.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

// extendedServer is a running server with the examples.
type extendedServer struct {
	*process
	admin string
}

// expect makes a request as an administrator. It returns the first group of the pattern, or the whole match.
func (s *extendedServer) expect(method, path, form, pattern string) string {
	s.t.Helper()
	fields, err := url.ParseQuery(form)
	if err != nil {
		s.t.Fatal(err)
	}
	status, body := s.call(method, "/api/"+path, s.admin, fields)
	found := regexp.MustCompile(pattern).FindStringSubmatch(body)
	if status/100 != 2 || found == nil {
		s.t.Fatalf("%s %s: %d %s, want %s", method, path, status, body, pattern)
	}
	return found[len(found)-1]
}

var diffFence = regexp.MustCompile("(?s)\n```diff\n(.*?)```\n")

// changedFiles applies the changes of docs/extending.md and returns the contents of the changed files by path.
func changedFiles(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{"An endpoint": 3, "An event": 2, "A job": 2, "A setting": 2}
	files := map[string]string{}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		diff := diffFence.FindStringSubmatch(text)
		if diff == nil {
			continue
		}
		changes := strings.Split("\n"+diff[1], "\n--- ")[1:]
		if limit, listed := limits[title]; !listed || len(changes) > limit {
			t.Errorf("%s: %d files, want at most %d", title, len(changes), limit)
		}
		delete(limits, title)
		for _, change := range changes {
			path, hunks, _ := strings.Cut(change, "\n@@\n")
			if _, known := files[path]; !known {
				files[path] = stored(t, path)
			}
			for _, hunk := range strings.Split(hunks, "\n@@\n") {
				files[path] = applied(t, path, files[path], hunk)
			}
		}
	}
	if len(limits) > 0 {
		t.Errorf("without an example: %v", limits)
	}
	return files
}

// stored returns the content of a file, empty for one that the example adds.
func stored(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// applied replaces the lines of a hunk that were there by those that are there afterwards.
func applied(t *testing.T, path, text, hunk string) string {
	t.Helper()
	var before, after strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(hunk, "\n") + "\n") {
		if mark := line[0]; mark != '+' {
			before.WriteString(line[1:])
		}
		if mark := line[0]; mark != '-' {
			after.WriteString(line[1:])
		}
	}
	if text == "" && before.Len() == 0 {
		return after.String()
	}
	if n := strings.Count(text, before.String()); n != 1 {
		t.Fatalf("%s: the lines of an example are there %d times: %s", path, n, &before)
	}
	return strings.Replace(text, before.String(), after.String(), 1)
}

// writeOverlay writes a file for the -overlay flag of go build, with the contents of files beside it.
func writeOverlay(t *testing.T, name string, files map[string]string) {
	t.Helper()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, text := range files {
		original, err := filepath.Abs(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		changed := filepath.Join(filepath.Dir(name), strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[original] = changed
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
