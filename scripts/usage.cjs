'use strict';
// What `npm run NAME -- --help` prints, for each script that run.cjs starts.
module.exports = {
  start: `
npm start
Starts the server. Settings come from the environment and from .env (docs/configuration.md).`,

  doctor: `
npm run doctor [-- [--fix] [--json] [--take-over]]
Checks the data folder of a stopped server. Exits with 1 if it is inconsistent, with 2 if it could
not be checked.
  --fix        repairs what is inconsistent
  --json       prints the report as JSON
  --take-over  lets this data folder take over the database that DATABASE_URL names`,

  model: `
npm run model [-- list | get NAME | use NAME | remove NAME]
Language models that run on this machine and write answers. Without arguments it lists them.
  get NAME     downloads a model, or resumes its download
  use NAME     uses it for answers
  remove NAME  deletes it from disk`,

  backup: `
npm run backup
Writes a backup of a stopped server to ENGRAM_BACKUP.`,

  restore: `
npm run restore -- FROM [--list] [--backup NAME] [--skip-damaged]
Restores a backup into an empty data folder. FROM is a folder or s3://bucket/prefix, as in
ENGRAM_BACKUP.
  --list          lists the backups
  --backup NAME   restores this backup instead of the newest
  --skip-damaged  skips missing and damaged files`,

  mcp: `
engram mcp [--url URL] [--key KEY]
Forwards MCP between standard input and output and the server.
  --url URL  the server (default: ENGRAM_BASE_URL or http://localhost:3000)
  --key KEY  an API key (default: ENGRAM_API_KEY)`,

  dev: `
npm run dev
Runs the server with restarts, and the web app with hot reload on port 5173.`,

  check: `
npm run check
Checks types, lint, format, generated files and regular expressions.`,

  test: `
npm test [-- [--install-browser] [ARGUMENTS OF VITEST]]
Runs all tests: with a Chromium the browser journeys, with Python 3.11 the tests of the Python SDK.
  --install-browser  installs a Chromium if none is found`,

  bench: `
npm run bench [-- NAMES [OPTIONS]]
Measures speed and memory. Without names it runs all benches, which takes a long time.
  --json            prints JSON
  --files=10000     small files that the bench memory uploads
  --folder=FOLDER   hostile files that it uploads first
  --quick           ends the bench search after two minutes
  --sizes=1000,100000  sizes of the libraries of the bench search, in chunks
  --kills=100       how often the Connector is killed`,

  quality: `
npm run quality [-- SET [--each] [--reader]]
Measures answers to known questions. SET is private-library, own-libraries, evidence (what a model is
shown), ranking (its weights, fitted again) or index-recall (what the search index misses). Without it
everything else is measured.
  --each    prints every question
  --reader  of private-library: answers with a model`,

  generate: `
npm run generate
Writes the generated files, such as openapi.json and docs/configuration.md.`,

  'record-demo': `
npm run record-demo [-- CLIPS]
Records the clips of the web app with a Chromium into apps/web/public/demo, each in light and dark:
wide, phone, key and connector, or only those that are named.`,

  mcpb: `
npm run mcpb [-- FILE]
Builds the MCP bundle that Claude Desktop installs: dist/engram.mcpb, or FILE.`,

  connector: `
npm run connector [-- --platform NAME ...]
Builds the Connector into dist/connector, for all platforms or for those that are named.
  --platform NAME  linux, windows, macos-arm64 or macos-x64`,

  client: `
npm run client [-- FOLDER]
Builds the TypeScript SDK as an npm package into dist, or into FOLDER.`,

  clipper: `
npm run clipper
Builds the browser extension into dist/clipper, as a folder and a zip each for Chrome and Firefox.`,

  screens: `
npm run screens [-- NAME [FOLDER]]
Takes the pictures of the screens whose name contains NAME, or of all, into docs/screens or FOLDER.`,

  'with-services': `
npm run with-services -- [--install] [postgres|s3|opensearch|imap|language-model ...] COMMAND
Runs a command with real servers, all of them or those that are named. Their addresses are in
ENGRAM_TEST_DATABASE_URL, ENGRAM_TEST_S3_URL, ENGRAM_TEST_OPENSEARCH_URL and ENGRAM_TEST_IMAP_URL.
  --install  installs missing servers into ENGRAM_SERVICES_CACHE; COMMAND is optional`,
};
