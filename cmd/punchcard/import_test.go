package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// importing is an import of transfers of one point to the customer of the demonstration.
type importing struct {
	*process
	token string
	ID    string `json:"importId"`
}

type importProgress struct {
	State           string
	TotalProcessed  int
	TotalSuccess    int
	TotalFailed     int
	TotalRecords    int
	PointsTransfers int `json:"total"`
}

// upload sends a CSV file that is too large to be read into memory as a form.
func (i *importing) upload(records int) {
	i.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.SetBoundary("part") // the repeated request is the same
	file, _ := form.CreateFormFile("file[file]", "points.csv")
	fmt.Fprintln(file, "customerEmail,points,type,comment")
	for n := range records {
		fmt.Fprintf(file, "user@example.com,1,adding,%d %s\n", n, strings.Repeat("点", 1000))
	}
	_ = form.Close()
	request, err := http.NewRequest("POST", i.Base+"/api/DEFAULT/points/transfer/import", &body)
	if err != nil {
		i.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Idempotency-Key", "once")
	status, answer := i.ask(request)
	if err := json.Unmarshal([]byte(answer), i); err != nil || status != 202 || i.ID == "" {
		i.t.Fatalf("%d %s", status, answer)
	}
}

func (i *importing) ask(request *http.Request) (status int, body string) {
	i.t.Helper()
	request.Header.Set("Authorization", "Bearer "+i.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		i.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		i.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (i *importing) read(method, path string) (p importProgress) {
	i.t.Helper()
	status, body := i.call(method, "/api/DEFAULT/"+path, i.token, nil)
	if err := json.Unmarshal([]byte(body), &p); err != nil || status != 200 {
		i.t.Fatalf("%s: %d %s", path, status, body)
	}
	return p
}

func (i *importing) progress() importProgress { return i.read("GET", "admin/import/"+i.ID) }

// Records take effect once, although the import is cancelled, resumed, and its server is killed.
func TestImportSurvivesAKill(t *testing.T) {
	dbtest.Both(t)
	const records = 4_000
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		flags := demoFlags(t, engine)
		server := start(t, flags...)
		logIn := func() string { return server.token("/api/admin/login_check", "admin", "open") }
		i := &importing{process: server, token: logIn()}
		before := i.read("GET", "points/transfer?perPage=1").PointsTransfers

		i.upload(records)
		first := i.ID
		if i.upload(records); i.ID != first {
			t.Errorf("a repeated upload is another import: %s, %s", first, i.ID)
		}
		testwait.Until(t, "some records are carried out", func() bool { return i.progress().TotalProcessed > 0 })
		if p := i.read("POST", "admin/import/"+i.ID+"/cancel"); p.State != "cancelled" || p.TotalProcessed == records {
			t.Errorf("cancelled: %+v", p)
		}
		cancelled := i.progress().TotalProcessed
		if made := i.read("GET", "points/transfer?perPage=1").PointsTransfers - before; made != cancelled {
			t.Errorf("%d of %d records have taken effect", made, cancelled)
		}
		i.read("POST", "admin/import/"+i.ID+"/resume")
		testwait.Until(t, "the import goes on", func() bool { return i.progress().TotalProcessed > cancelled })

		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		server = start(t, flags...)
		i.process, i.token = server, logIn()
		if p := i.progress(); p.State != "running" || p.TotalProcessed == records {
			t.Fatalf("the server was killed too late: %+v", p)
		}
		testwait.Until(t, "the import has ended", func() bool { return i.progress().State == "finished" })
		p := i.progress()
		made := i.read("GET", "points/transfer?perPage=1").PointsTransfers - before
		if p.TotalSuccess != records || p.TotalFailed != 0 || p.TotalRecords != records || made != records {
			t.Errorf("%+v, and %d transfers", p, made)
		}
		status := server.stop(syscall.SIGTERM)
		if status != 0 {
			t.Errorf("exit status %d", status)
		}
		if said, status := tool(t, append([]string{"check"}, flags[:len(flags)-1]...)...); status != 0 {
			t.Error(said)
		}
	})
}
