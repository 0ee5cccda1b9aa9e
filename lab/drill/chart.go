package main

import (
	"context"
	"fmt"
	"io"

	"punchcard/app/apptest"
)

// runChart tests the chart for Kubernetes in a module of its own: Helm lints and renders it, its files are read
// strictly as types of Kubernetes, and the program reads its settings. No cluster runs them.
func runChart(ctx context.Context, folder string, out io.Writer) error {
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	environment := shell{"CGO_ENABLED=0", "CHARTTEST_PROGRAM=" + program}
	output, err := environment.do(ctx, "go", "-C", "lab/drill/charttest", "test", "-count=1", ".")
	if err == nil {
		fmt.Fprintln(out, output)
	}
	return err
}
