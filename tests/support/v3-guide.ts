import { RELEASES, type ApiChange, type Release } from '../../src/adapters/inbound/http/api-v3/changes/api-change.js';
import { API_CHANGES } from '../../src/adapters/inbound/http/api-v3/changes/api-changes.js';

const INTRO = `# From V3 to V4

Made from the list of changes by \`make v3-guide\`; don't edit it by hand.

V4 is the preferred version since release 9.0. V3 was unsupported from release 9.5 on and removed in release 11.0: Gatehouse
never had it, and tells those who still ask for it where to go.

## What a request to V3 is told

\`\`\`sh
curl -i "http://localhost:8080/api/v3/projects/5/repository/tree?ref_name=main"
\`\`\`

\`\`\`http
HTTP/1.1 410 Gone
Link: <http://localhost:8080/api/v4/projects/5/repository/tree?ref=main>; rel="successor-version"

{
  "error": "API V3 is no longer supported. Use API V4 instead.",
  "migration": [{ "release": "9.0", "before": "…", "after": "…", "description": "…" }]
}
\`\`\`

The answer is the same for every method and needs no token. \`Link\` is the address in V4, with the parameters of the query under
their new names and values and without credentials; where no change moves the address, it is the same path under \`/api/v4\`.
\`migration\` lists every change below that concerns the request, be it a path, a parameter in query or body, or an answer that looks
different now. The method may change as well: \`after\` says so.

The list is that of the whole API. Which of the addresses in V4 Gatehouse has says [openapi.json](openapi.json); the others are 404.

The list itself is an address: \`GET /api/v4/api_changes\`, with \`release\` and \`search\` as filters and pages as in every list.

## How to move a client

1. \`gatehouse v3 lint FILE…\` says where its code, or a log, calls version 3, and what became of each call.
2. Replace \`/api/v3\` by \`/api/v4\` and ask for what it asks for most; go through the tables for those addresses.
3. Look at every id of an issue or merge request that the client keeps: the addresses take the \`iid\`.
4. Look at lists: they follow pages by \`Link\`, GET /projects shows more than memberships, and several labels mean all of them.
5. Point it at \`/api/v3\` no more: \`http_request_duration_seconds\` and the access line name the route \`/api/v3\` while anybody does.

In the OAuth2 token info, \`scopes\` and \`expires_in_seconds\` are deprecated names of \`scope\` and \`expires_in\` and will be removed.
`;

const cell = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '\\|');

const code = (request: string): string => (request.includes('/') ? `\`${request.replaceAll('|', '\\|')}\`` : request);

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const section = (release: Release): string => {
  const changes = API_CHANGES.filter((change) => change.release === release);
  const rowOf = ({ before, after, description }: ApiChange) => [before, after, description].map(cell);
  return [
    `## Release ${release}`,
    table(['Before', 'After', 'What to know'], changes.map(rowOf)),
    `### Requests before and after ${release}`,
    table(
      ['Below `/api/v3`', 'Below `/api/v4`'],
      changes.filter(({ example: [before, after] }) => before !== after).map(({ example }) => example.map(code)),
    ),
  ].join('\n\n');
};

/** The page that is committed, so that a review sees what a change of the list did. */
export const renderV3Guide = (): string => `${[INTRO.trimEnd(), ...RELEASES.map(section)].join('\n\n')}\n`;
