package cli

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/fetch"
	"github.com/cybindgo/cybindgo/internal/finding"
)

func newHeaders(p *project) *cobra.Command {
	cmd := &cobra.Command{Use: "headers", Short: "Headers of CUDA releases, from a package index"}
	cmd.AddCommand(newHeadersGet(p), newHeadersPath(p))
	return cmd
}

// headerRequest is the headers that a command is about.
type headerRequest struct {
	fetching
	platform string
}

func (h *headerRequest) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.platform, "platform", string(fetch.Reference), "the platform whose headers are wanted")
	h.fetching.addFlags(cmd)
}

// get brings the headers of a release into the cache.
func (h *headerRequest) get(cmd *cobra.Command, p *project, args []string) (*fetch.Release, *fetch.Fetcher, error) {
	platform, err := fetch.ParsePlatform(h.platform)
	if err != nil {
		return nil, nil, err
	}
	libraries, err := p.known()
	if err != nil {
		return nil, nil, err
	}
	names := args[1:]
	if len(names) == 0 {
		names = fetch.Usual
	}
	packages, err := packagesOf(libraries, names)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := interruptible()
	defer stop()
	fetcher, shown, err := h.open(cmd)
	if err != nil {
		return nil, nil, err
	}
	defer shown.close()
	r, err := fetcher.Fetch(ctx, fetch.Request{Release: args[0], Platform: platform, Packages: packages})
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("interrupted; what was fetched is kept, and the next run goes on from there")
	}
	return r, fetcher, err
}

const headersLong = "RELEASE is a full version (13.5.0). The meta-package cuda-toolkit says which components\nbelong to it; of their wheels only the headers are read. The index is the one given\nwith --index-url, or else in PIP_INDEX_URL, in UV_INDEX_URL, in the configuration\nfiles of pip and uv, or the one that the pip or uv at hand uses by default.\nCertificates, proxies and credentials are those that pip is given.\n\nHeaders are kept below the user's cache folder, or below CYBINDGO_CACHE, and are\nchecked whenever they are read. What is there is not fetched again, and needs no\nnetwork.\n\nWithout LIB they are those of driver, runtime, nvrtc, nvml, nvjitlink, nvvm, nvfatbin\nand cufile. What a release lacks is said, and the rest is fetched."

func newHeadersGet(p *project) *cobra.Command {
	var h headerRequest
	var format string
	cmd := &cobra.Command{
		Use:     "get RELEASE [LIB...]",
		Short:   "Fetch the headers of a release",
		Long:    "Get fetches the headers of a CUDA release into the cache.\n\n" + headersLong,
		Example: "  cybindgo headers get 13.5.0\n  cybindgo headers get 13.5.0 driver --platform windows/amd64",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q: expected text or json", format)
			}
			r, fetcher, err := h.get(cmd, p, args)
			if err != nil {
				return err
			}
			requests, bytes := fetcher.Spent()
			if format == "json" {
				return printHeadersJSON(cmd.OutOrStdout(), r, requests, bytes)
			}
			headers := 0
			for _, c := range r.Components {
				fmt.Fprintf(cmd.OutOrStdout(), "%-28s %-14s %s\n", c.Package, c.Version, finding.Count(len(c.Headers), "header"))
				headers += len(c.Headers)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "CUDA %s for %s: %s of %s\n", r.Release, r.Platform, finding.Count(headers, "header"), finding.Count(len(r.Components), "package"))
			if requests > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "read %.1f MB in %d requests, %d of them one after the other\n", float64(bytes)/1e6, requests, r.Trips)
			}
			return nil
		},
	}
	h.addFlags(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func printHeadersJSON(w io.Writer, r *fetch.Release, requests, bytes int64) error {
	out := struct {
		Release    string            `json:"release"`
		Platform   fetch.Platform    `json:"platform"`
		Components []fetch.Component `json:"components"`
		Lacking    []fetch.Lack      `json:"lacking"`
		Requests   int64             `json:"requests"`
		Bytes      int64             `json:"bytes"`
		RoundTrips int               `json:"round_trips"`
	}{r.Release, r.Platform, r.Components, r.Lacking, requests, bytes, r.Trips}
	text, err := json.Marshal(out, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

func newHeadersPath(p *project) *cobra.Command {
	var h headerRequest
	cmd := &cobra.Command{
		Use:     "path RELEASE [LIB...]",
		Short:   "Print a folder with the headers of a release, for a compiler",
		Long:    "Path prints the path of a folder that has the headers of a CUDA release, as a\ncompiler includes them. It fetches what is not in the cache.\n\n" + headersLong,
		Example: "  cc -c demo.c -I$(cybindgo headers path 13.5.0)",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, _, err := h.get(cmd, p, args)
			if err != nil {
				return err
			}
			dir, err := r.Tree()
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), dir)
			return nil
		},
	}
	h.addFlags(cmd)
	return cmd
}
