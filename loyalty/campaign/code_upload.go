package campaign

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"punchcard/core/api"
	"punchcard/platform/keytext"
)

// UploadedCodes is how many codes an upload may hold.
const UploadedCodes = 100_000

// The reasons why a code of an upload is not added.
const (
	duplicateInUpload  = "duplicateInUpload"
	alreadyInCampaign  = "alreadyInCampaign"
	longerThanAllowed  = "tooLong"
	withControlLetters = "invalidCharacters"
)

// skippedExamples is how many codes a report names for each reason.
const skippedExamples = 5

// uploadReport counts the codes of an upload that were added and skipped.
type uploadReport struct {
	Added   int       `json:"added"`
	Skipped int       `json:"skipped"`
	Reasons []skipped `json:"reasons"`
	Left    int64     `json:"left"` // codes that the campaign can sell now
}

type skipped struct {
	Reason   string   `json:"reason" enum:"duplicateInUpload,alreadyInCampaign,tooLong"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // the first ones
}

func (r *uploadReport) skip(reason, code string) {
	r.Skipped++
	at := slices.IndexFunc(r.Reasons, func(s skipped) bool { return s.Reason == reason })
	if at < 0 {
		at = len(r.Reasons)
		r.Reasons = append(r.Reasons, skipped{Reason: reason})
	}
	s := &r.Reasons[at]
	if s.Count++; len(s.Examples) < skippedExamples {
		s.Examples = append(s.Examples, firstCharacters(code))
	}
}

// firstCharacters returns the beginning of a code that is too long to be shown.
func firstCharacters(code string) string {
	const shown = 40
	if runes := []rune(code); len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return code
}

// usable returns the codes that can be added: each once, and valid. The report names the others.
func (r *uploadReport) usable(codes []string) (valid []string) {
	seen := make(map[string]bool, len(codes))
	for _, code := range codes {
		switch {
		case seen[code]:
			r.skip(duplicateInUpload, code)
		case utf8.RuneCountInString(code) > codeLimit:
			r.skip(longerThanAllowed, code)
		case !utf8.ValidString(code) || strings.ContainsFunc(code, unicode.IsControl):
			r.skip(withControlLetters, strings.ToValidUTF8(code, "�"))
		default:
			seen[code] = true
			valid = append(valid, code)
		}
	}
	return valid
}

// splitText returns the codes of a text, which stand on lines of their own or between commas, semicolons or tabs.
func splitText(text string) []string {
	return withoutBlanks(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r,;\t", r) }))
}

// splitCSV returns the codes of a CSV file: its column "code", or the first one if no column is named so.
func splitCSV(file []byte) (codes []string, err error) {
	text := strings.TrimPrefix(string(file), "\ufeff") // spreadsheets begin files with a byte order mark
	head, _, _ := strings.Cut(text, "\n")
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord, reader.LazyQuotes, reader.ReuseRecord = -1, true, true
	for _, separator := range ";\t" {
		if !strings.Contains(head, ",") && strings.ContainsRune(head, separator) {
			reader.Comma = separator
			break
		}
	}
	column := 0
	for line := 0; ; line++ {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return withoutBlanks(codes), nil
		}
		if err != nil {
			return nil, err
		}
		if line == 0 {
			named := slices.IndexFunc(record, func(name string) bool { return isCodeColumn(strings.TrimSpace(name)) })
			if named >= 0 {
				column = named
				continue
			}
		}
		if column < len(record) {
			codes = append(codes, strings.Clone(api.FromCSV(record[column])))
		}
	}
}

func isCodeColumn(name string) bool {
	return slices.ContainsFunc([]string{"code", "codes", "coupon"}, func(known string) bool {
		return strings.EqualFold(known, name)
	})
}

func withoutBlanks(codes []string) []string {
	for i := range codes {
		codes[i] = keytext.Clean(codes[i])
	}
	return slices.DeleteFunc(codes, func(code string) bool { return code == "" })
}
