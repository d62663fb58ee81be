package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	commandLine = regexp.MustCompile("(?m)(?:`|cmd/)overlap ([a-z]+)([^`\n#]*)")
	flagName    = regexp.MustCompile(`--([a-z-]+)`)
	makeTarget  = regexp.MustCompile("`make (?:-s )?([a-z-]+)|\\$\\(make -s ([a-z-]+)\\)")
)

// The commands, flags and targets that pages name are there.
func TestPagesNameCommands(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Skip("the source is not here")
	}
	named := 0
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		problems, n := unknownCommands(string(text), string(makefile))
		assert.Empty(t, problems, page)
		named += n
	}
	assert.Greater(t, named, 20)
}

func TestUnknownCommands(t *testing.T) {
	problems, named := unknownCommands("`overlap run --jsn`, `overlap walk`, go run -tags gpu ./cmd/overlap run --out d\n"+
		"`make test`, `make tests`, $(make -s env)", "env: ## x\ntest: ## x\n")
	assert.Equal(t, []string{"overlap run has no flag --jsn", "there is no overlap walk", "there is no target tests"}, problems)
	assert.Equal(t, 6, named)
}

// unknownCommands finds, of the command lines that a page names, those that are not there, and how many it names.
func unknownCommands(page, makefile string) (problems []string, named int) {
	root := newRoot()
	for _, m := range commandLine.FindAllStringSubmatch(page, -1) {
		named++
		cmd, _, err := root.Find([]string{m[1]})
		if err != nil || cmd == root {
			problems = append(problems, "there is no overlap "+m[1])
			continue
		}
		for _, flag := range flagName.FindAllStringSubmatch(m[2], -1) {
			if cmd.Flag(flag[1]) == nil {
				problems = append(problems, "overlap "+m[1]+" has no flag --"+flag[1])
			}
		}
	}
	for _, m := range makeTarget.FindAllStringSubmatch(page, -1) {
		named++
		if target := m[1] + m[2]; !strings.Contains("\n"+makefile, "\n"+target+":") {
			problems = append(problems, "there is no target "+target)
		}
	}
	return problems, named
}
