// Package action tests the GitHub Action: action.yml, and the scripts beside
// this file that it runs. They are run here as a workflow runs them, with a
// repository and an index of our own and a stand-in for GitHub's command line.
package action
