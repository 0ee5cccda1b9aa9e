// Command punchcard is the loyalty platform: its server and the tools around it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"punchcard/app"
)

type commands struct {
	settings settings `kong:"-"`

	Config string `placeholder:"FILE" help:"Configuration file (TOML) with the names of flags."`

	Serve   serve     `cmd:"" help:"Run the server."`
	Migrate migrate   `cmd:"" help:"Bring the schema of the database up to date."`
	Check   checkData `cmd:"" help:"Verify that the data is consistent."`
	Backup  backup    `cmd:"" help:"Copy the SQLite database into a file; the server may run meanwhile."`
	Restore restore   `cmd:"" help:"Replace the SQLite database by a backup."`
	Move    move      `cmd:"" help:"Move an installation from SQLite to PostgreSQL, or back."`
	Reindex reindex   `cmd:"" help:"Rebuild the search index."`
	Repair  repair    `cmd:"" help:"Write the keys anew by which customers are compared."`
	Recount recount   `cmd:"" help:"Correct the sums of analytics by the rows that they count."`

	SimulateProvider simulateProvider `cmd:"" help:"Run a payment provider that moves no money, for demonstrations."`

	Admin struct {
		Create       createAdmin  `cmd:"" help:"Add an administrator with all rights and print a random password."`
		SetupLink    setupLink    `cmd:"" help:"Print a new link to the set-up of an installation without administrator."`
		ResetFactors resetFactors `cmd:"" help:"Remove the second factors of somebody who has lost them."`
		RotateKey    rotateKey    `cmd:"" help:"Add a key that signs access tokens from now on."`

		AllowPasswords allowPasswords `cmd:"" help:"Let administrators, or sellers, sign in with passwords again."`
	} `cmd:"" help:"Manage administrators and the key that signs access tokens."`
	Health     askHealth  `cmd:"" help:"Ask the server on this machine whether it answers."`
	ShowConfig showConfig `cmd:"" name:"config" help:"Print the settings in force, without secrets."`
	Version    version    `cmd:"" help:"Print the version."`
}

type serve struct{ app.Config }

func (s *serve) Run(ctx context.Context) error {
	if err := injectFaults(&s.Config); err != nil {
		return err
	}
	app.CollectGarbage()
	return app.Serve(ctx, s.Config, os.Stdout, os.Stderr)
}

type migrate struct {
	app.Database
	Plan   bool `help:"Only print what would be done: statements, locks and durations; SQLite tries it on a copy."`
	Backup bool `default:"true" negatable:"" help:"Copy a SQLite database first, to punchcard.db.before-upgrade."`
}

func (m *migrate) Run(ctx context.Context) error {
	if m.Plan {
		return app.PlanMigration(ctx, m.Database, os.Stdout, os.Stderr)
	}
	return app.Migrate(ctx, m.Database, !m.Backup, os.Stdout, os.Stderr)
}

type reindex struct{ app.Database }

func (r *reindex) Run(ctx context.Context) error {
	return app.Reindex(ctx, r.Database, os.Stdout, os.Stderr)
}

type repair struct {
	app.Database
	Apply bool `help:"Write the keys; without it, the command only prints what it would do."`
}

// Help describes when the command is needed.
func (repair) Help() string {
	return "Customers are found and compared by keys of their e-mail address, phone, loyalty card and name. The keys " +
		"change with the country of a store. The command writes them anew, and prints customers who have the key of " +
		"another one. It merges nobody."
}

// Run runs the command.
func (r *repair) Run(ctx context.Context) error {
	return app.Repair(ctx, r.Database, r.Apply, os.Stdout, os.Stderr)
}

type recount struct{ app.Database }

// Run runs the command.
func (r *recount) Run(ctx context.Context) error {
	return app.Recount(ctx, r.Database, os.Stdout, os.Stderr)
}

type createAdmin struct {
	app.Database
	Username string `arg:"" help:"User name."`
	Email    string `help:"E-mail address, which can be used to log in, too."`
}

func (c *createAdmin) Run(ctx context.Context) error {
	password, err := app.CreateAdministrator(ctx, c.Database, c.Username, c.Email, os.Stderr)
	if err == nil {
		_, err = fmt.Printf("administrator %s, password %s (shown only now)\n", c.Username, password)
	}
	return err
}

type setupLink struct {
	app.Database
	PublicURL string `default:"http://127.0.0.1:8080" help:"Address of the server; the same as that of the server."`
}

func (s *setupLink) Run(ctx context.Context) error {
	return app.PrintSetupLink(ctx, s.Database, s.PublicURL, os.Stdout, os.Stderr)
}

type resetFactors struct {
	app.Database
	Name  string `arg:"" help:"User name or e-mail address."`
	Role  string `enum:"administrator,seller,customer" default:"administrator" help:"administrator, seller or customer."`
	Store string `default:"DEFAULT" help:"Code of the store of a seller or a customer."`
}

func (r *resetFactors) Run(ctx context.Context) error {
	return app.ResetFactors(ctx, r.Database, r.Role, r.Store, r.Name, os.Stderr)
}

type allowPasswords struct {
	app.Database
	SellersOf string `help:"Code of the store whose sellers are meant, not administrators."`
}

func (a *allowPasswords) Run(ctx context.Context) error {
	return app.AllowPasswords(ctx, a.Database, a.SellersOf, os.Stderr)
}

type rotateKey struct {
	app.Database
	TokenLife time.Duration `default:"24h" help:"Lifetime of access tokens; the same as that of the servers."`
	Revoke    bool          `help:"Delete all other keys, to end every access token. Restart all servers afterwards."`
}

func (r *rotateKey) Run(ctx context.Context) error {
	err := app.RotateKey(ctx, r.Database, r.TokenLife, r.Revoke, os.Stderr)
	if err != nil {
		return err
	}
	next := "servers sign with it within a minute"
	if r.Revoke {
		next = "all other keys are deleted: restart all servers"
	}
	_, err = fmt.Println("added a signing key;", next)
	return err
}

type version struct{}

// Run prints the version of the program, the commit that it was built from, and the schema that it makes.
func (version) Run() error {
	schema, err := app.Schema()
	if err == nil {
		_, err = fmt.Printf("%s\ncommit %s\nschema %d\n", app.Version, app.Commit(), schema)
	}
	return err
}

func main() {
	protectFiles()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	parser := kong.Must(&commands{}, options(ctx)...)
	arguments := os.Args[1:]
	if len(arguments) == 0 {
		arguments = []string{"--help"}
	}
	command, err := parser.Parse(arguments)
	parser.FatalIfErrorf(explain(err))
	command.FatalIfErrorf(command.Run())
}

// options returns how the command line is parsed.
func options(ctx context.Context) []kong.Option {
	return append(typed(), kong.Name("punchcard"), kong.DefaultEnvars("PUNCHCARD"),
		kong.Description("A multi-store loyalty platform."), kong.BindTo(ctx, (*context.Context)(nil)))
}
