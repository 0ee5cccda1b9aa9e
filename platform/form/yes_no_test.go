package form

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"punchcard/platform/fault"
)

// The answers of files, by language. Spreadsheets translate TRUE and FALSE.
func TestYesNo(t *testing.T) {
	for language, words := range map[string]struct{ yes, no string }{
		"numbers": {"1,'1'", `0,"0"`},
		"en":      {"yes,Y,TRUE,true,t,on,active, Yes ,'yes'", "no,N,FALSE,false,f,off,inactive"},
		"pl":      {"tak,TAK,T,PRAWDA,aktywny", "nie,Nie,N,FAŁSZ,falsz,nieaktywny"},
		"de":      {"ja,J,WAHR,an,aktiv", "nein,N,FALSCH,aus,inaktiv"},
		"fr":      {"oui,O,VRAI,actif", "non,N,FAUX,inactif"},
		"es":      {"sí,SÍ,si,S,VERDADERO,V,activo,si\u0301", "no,N,FALSO,F,inactivo"},
	} {
		for want, texts := range map[bool]string{true: words.yes, false: words.no} {
			for text := range strings.SplitSeq(texts, ",") {
				g := read(t, "f="+url.QueryEscape(text))
				if yes, answered := g.YesNo("f"); yes != want || !answered || g.Err() != nil {
					t.Errorf("%s: %q is %t, %t, %v", language, text, yes, answered, g.Err())
				}
			}
		}
	}
	for _, text := range []string{"unsubscribed", "maybe", "2", "-1", "00", "null", "-", "[]", "не"} {
		g := read(t, "f="+url.QueryEscape(text))
		if yes, answered := g.YesNo("f"); yes || answered {
			t.Errorf("%q is %t, %t", text, yes, answered)
		}
		refused, is := errors.AsType[*fault.Error](g.Err())
		if !is || !strings.Contains(refused.Detail.(Tree).Messages()[0], NotYesOrNo.Message) {
			t.Errorf("%q is not refused: %v", text, g.Err())
		}
	}
	for _, input := range []string{"", "f=", "f=%20"} {
		g := read(t, input)
		if yes, answered := g.YesNo("f"); yes || answered || g.Err() != nil {
			t.Errorf("%q is %t, %t, %v", input, yes, answered, g.Err())
		}
	}
	for word := range yesWords {
		if noWords[word] {
			t.Errorf("%q means both", word)
		}
	}
}
