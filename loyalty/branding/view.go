package branding

import (
	"fmt"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// Shown are the keys of settings that show the files of a store. They are there only when set.
type Shown struct {
	Logo                   *FileView `json:"logo,omitempty"`
	SmallLogo              *FileView `json:"small-logo,omitempty"`
	HeroImage              *FileView `json:"hero-image,omitempty"`
	AdminCockpitLogo       *FileView `json:"admin-cockpit-logo,omitempty"`
	ClientCockpitLogoBig   *FileView `json:"client-cockpit-logo-big,omitempty"`
	ClientCockpitLogoSmall *FileView `json:"client-cockpit-logo-small,omitempty"`
	ClientCockpitHeroImage *FileView `json:"client-cockpit-hero-image,omitempty"`
	ConditionsFile         *FileView `json:"conditions-file,omitempty"`
}

// FileView is a file of a store in responses.
type FileView struct {
	Path  string   `json:"path"` // where it can be read
	MIME  string   `json:"mime"`
	Sizes []string `json:"sizes"` // of a picture in pixels, such as 640x200
}

// Show returns the files of a store.
func Show(tx *db.Tx, s *store.Store) (shown Shown, err error) {
	files, err := filesOf(tx, s.Key)
	members := map[string]**FileView{
		Logo: &shown.Logo, SmallLogo: &shown.SmallLogo, HeroImage: &shown.HeroImage,
		"admin-cockpit-logo": &shown.AdminCockpitLogo, "client-cockpit-logo-big": &shown.ClientCockpitLogoBig,
		"client-cockpit-logo-small": &shown.ClientCockpitLogoSmall,
		"client-cockpit-hero-image": &shown.ClientCockpitHeroImage, conditions: &shown.ConditionsFile,
	}
	for i := range files {
		if f := &files[i]; f.Size == "" && members[f.Name] != nil {
			*members[f.Name] = newView(s, f)
		}
	}
	return shown, err
}

func newView(s *store.Store, f *File) *FileView {
	v := &FileView{Path: pathOf(s, f.Name), MIME: f.MIMEType, Sizes: []string{}}
	if f.Width > 0 {
		v.Sizes = append(v.Sizes, fmt.Sprintf("%dx%d", f.Width, f.Height))
	}
	return v
}

// pathOf returns the path at which a file can be read.
func pathOf(s *store.Store, name string) string {
	if name == conditions {
		return "/api/" + s.Code + "/settings/" + conditions
	}
	return "/api/" + s.Code + "/settings/photo/" + name
}

// programAnswer shows a store to applications before anybody signs in.
type programAnswer struct {
	Program program `json:"program"`
}

type program struct {
	StoreCode        string `json:"storeCode"`
	StoreName        string `json:"storeName"`
	Sandbox          bool   `json:"sandbox"`
	Currency         string `json:"currency"`
	Timezone         string `json:"timezone"`
	Name             string `json:"name"`
	PointsSingular   string `json:"pointsSingular"`
	PointsPlural     string `json:"pointsPlural"`
	URL              string `json:"url"`
	FAQURL           string `json:"faqUrl"`
	ConditionsURL    string `json:"conditionsUrl"` // path of the uploaded file, else the address of the settings
	HelpEmailAddress string `json:"helpEmailAddress"`
	TierAssignType   string `json:"tierAssignType" enum:"points,transactions"` // what customers reach levels by
	AccentColor      string `json:"accentColor,omitempty"`
	Logo             string `json:"logo,omitempty"` // paths of pictures
	SmallLogo        string `json:"smallLogo,omitempty"`
	HeroImage        string `json:"heroImage,omitempty"`
}

func programOf(s *store.Store, shown *Shown) program {
	set := &s.Settings
	p := program{
		StoreCode: s.Code, StoreName: s.Name, Sandbox: s.Sandbox, Currency: s.Currency, Timezone: set.Timezone,
		Name: set.ProgramName, PointsSingular: set.ProgramPointsSingular, PointsPlural: set.ProgramPointsPlural,
		URL: set.ProgramURL, FAQURL: set.ProgramFAQURL, ConditionsURL: conditionsURL(s, shown),
		HelpEmailAddress: set.HelpEmailAddress, TierAssignType: set.TierAssignType,
	}
	if accent, found := accentOf(s); found {
		p.AccentColor = hexOf(accent)
	}
	for _, one := range []struct {
		to   *string
		file *FileView
	}{{&p.Logo, shown.Logo}, {&p.SmallLogo, shown.SmallLogo}, {&p.HeroImage, shown.HeroImage}} {
		if one.file != nil {
			*one.to = one.file.Path
		}
	}
	return p
}

func conditionsURL(s *store.Store, shown *Shown) string {
	if shown.ConditionsFile != nil {
		return shown.ConditionsFile.Path
	}
	return s.Settings.ProgramConditionsURL
}

// manifest is a web app manifest of the customers' application.
type manifest struct {
	ID              string         `json:"id"`
	Name            string         `json:"name"`
	ShortName       string         `json:"short_name"`
	Language        string         `json:"lang"`
	StartURL        string         `json:"start_url"`
	Scope           string         `json:"scope"`
	Display         string         `json:"display"`
	BackgroundColor string         `json:"background_color"`
	ThemeColor      string         `json:"theme_color"`
	Icons           []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// manifestOf returns the manifest of a store. The address that the application starts at names the store. The id of the
// first store's application does not: those that were installed under it stay the same.
func manifestOf(s *store.Store, language string) manifest {
	start := "/me?store=" + s.Code
	id := start
	if s.Code == store.DefaultCode {
		id = "/me"
	}
	accent, _ := accentOf(s)
	m := manifest{
		ID: id, Name: s.Settings.ProgramName, ShortName: s.Settings.ProgramName, Language: language, StartURL: start,
		Scope: "/me", Display: "standalone", BackgroundColor: hexOf(white), ThemeColor: hexOf(accent),
	}
	for _, icon := range []struct{ size, purpose string }{{icon192, "any"}, {icon512, "any"}, {maskable, "maskable"}} {
		side := fmt.Sprintf("%[1]dx%[1]d", sideOf(icon.size))
		path := "/api/" + s.Code + "/settings/icon/" + icon.size
		m.Icons = append(m.Icons, manifestIcon{path, side, "image/png", icon.purpose})
	}
	return m
}
