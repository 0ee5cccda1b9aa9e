package tidy

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asvs are the requirements of OWASP ASVS 5.0.0: of each section the levels of its requirements, in order.
var asvs = []struct{ section, levels string }{
	{"1.1", "22"}, {"1.2", "1111122223"}, {"1.3", "112222222223"}, {"1.4", "222"}, {"1.5", "123"},
	{"2.1", "122"}, {"2.2", "112"}, {"2.3", "12223"}, {"2.4", "23"},
	{"3.1", "3"}, {"3.2", "113"}, {"3.3", "12223"}, {"3.4", "11222233"}, {"3.5", "11122333"}, {"3.6", "3"},
	{"3.7", "22333"},
	{"4.1", "12233"}, {"4.2", "23333"}, {"4.3", "22"}, {"4.4", "1222"},
	{"5.1", "2"}, {"5.2", "112333"}, {"5.3", "113"}, {"5.4", "222"},
	{"6.1", "122"}, {"6.2", "111111112222"}, {"6.3", "11223333"}, {"6.4", "112233"}, {"6.5", "22222333"},
	{"6.6", "2223"}, {"6.7", "33"}, {"6.8", "2222"},
	{"7.1", "222"}, {"7.2", "1111"}, {"7.3", "22"}, {"7.4", "11222"}, {"7.5", "223"}, {"7.6", "22"},
	{"8.1", "1233"}, {"8.2", "1123"}, {"8.3", "133"}, {"8.4", "23"},
	{"9.1", "111"}, {"9.2", "1222"},
	{"10.1", "22"}, {"10.2", "223"}, {"10.3", "22223"}, {"10.4", "1111122222233333"}, {"10.5", "22222"}, {"10.6", "22"},
	{"10.7", "222"},
	{"11.1", "2233"}, {"11.2", "22233"}, {"11.3", "11233"}, {"11.4", "1222"}, {"11.5", "23"}, {"11.6", "23"},
	{"11.7", "33"},
	{"12.1", "12233"}, {"12.2", "11"}, {"12.3", "22223"},
	{"13.1", "2333"}, {"13.2", "222223"}, {"13.3", "2233"}, {"13.4", "1222233"},
	{"14.1", "22"}, {"14.2", "12223333"}, {"14.3", "122"},
	{"15.1", "12233"}, {"15.2", "12233"}, {"15.3", "1222222"}, {"15.4", "3333"},
	{"16.1", "2"}, {"16.2", "22222"}, {"16.3", "2222"}, {"16.4", "222"}, {"16.5", "2223"},
	{"17.1", "23"}, {"17.2", "22223333"}, {"17.3", "22"},
}

// requirements lists the requirements of levels 1 and 2 in order, each as its number and its level.
func requirements() (all []string) {
	for _, s := range asvs {
		for i, level := range s.levels {
			if level != '3' {
				all = append(all, fmt.Sprintf("%s.%d %c", s.section, i+1, level))
			}
		}
	}
	return all
}

// evidence finds names of tests in backquotes, and links.
var evidence = regexp.MustCompile("`([a-z0-9/]+\\.(?:Test|Fuzz)\\w+)`|\\]\\(([^)]+)\\)")

// TestASVS checks that docs/security/asvs.md has a row for each requirement of levels 1 and 2, in order, and that each
// row that holds names a test or a document, and each other one a reason.
func TestASVS(t *testing.T) {
	var found []string
	for line := range strings.Lines(readFile(t, "docs/security/asvs.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		id := strings.TrimSpace(cells[0])
		if !strings.HasPrefix(line, "| ") || id[0] < '0' || id[0] > '9' {
			continue
		}
		if len(cells) != 5 {
			t.Errorf("%s has %d cells, want 5", id, len(cells))
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		found = append(found, id+" "+cells[1])
		switch text, state, shown := cells[2], cells[3], cells[4]; {
		case len(strings.Fields(text)) < 2:
			t.Errorf("%s has no description", id)
		case state == "holds" && !evidence.MatchString(shown):
			t.Errorf("%s holds, and names no test and no document", id)
		case state != "holds" && state != "missing" && state != "does not apply":
			t.Errorf("%s has the state %q", id, state)
		case state != "holds" && len(strings.Fields(shown)) < 3:
			t.Errorf("%s %s, for no reason", id, state)
		}
	}
	want := requirements()
	for i := range max(len(found), len(want)) {
		if i >= len(found) || i >= len(want) || found[i] != want[i] {
			t.Fatalf("row %d: %q, want %q", i+1, found[min(i, len(found)):], want[min(i, len(want)):])
		}
	}
}

// TestSecurityEvidence checks that each test that a document about security names exists.
func TestSecurityEvidence(t *testing.T) {
	var tests []string
	for _, f := range repository(t) {
		if !f.isTest() {
			continue
		}
		for _, declared := range f.syntax.Decls {
			if function, is := declared.(*ast.FuncDecl); is && function.Recv == nil {
				tests = append(tests, f.folder()+"."+function.Name.Name)
			}
		}
	}
	slices.Sort(tests)
	names, err := filepath.Glob(filepath.Join(root, "docs", "security", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range evidence.FindAllStringSubmatch(string(text), -1) {
			if _, found := slices.BinarySearch(tests, named[1]); named[1] != "" && !found {
				t.Errorf("%s names %s, which does not exist", filepath.Base(name), named[1])
			}
		}
	}
}
