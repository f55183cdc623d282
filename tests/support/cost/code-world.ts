/** Calls the API as the administrator; fails unless something was made. */
type Make = <Made>(path: string, json: object) => Promise<Made>;

interface Commit {
  readonly id: string;
}

const FOLDERS = 20;
const FILES_OF_A_FOLDER = 25;
const LINES = Array.from({ length: 20_000 }, (_, line) => `${line} Steam rises where water meets the boiler.`);
/** What required fields of hostile requests name where nothing else is said: as a branch it is there. */
export const COMPANION = 'abc';

const created = (file_path: string, content: string) => ({ action: 'create', file_path, content });

/** Names of what a path may lead to in a project with code. */
export interface CodeNames {
  readonly sha: string;
  readonly discussion_id: string;
  readonly merge_request_iid: number;
  readonly merge_request_id: number;
  readonly version_id: number;
  readonly award_id: number;
  readonly link_id: number;
}

/** A project's code with branches, a tag, a release and a merge request: many files, one of them as large as a request may write. */
export const makeCode = async (make: Make, projectId: number): Promise<CodeNames> => {
  const base = `/projects/${projectId}`;
  const commit = (branch: string, actions: readonly object[], more: object = {}) =>
    make<Commit>(`${base}/repository/commits`, { branch, commit_message: 'Write', actions, ...more });
  const files = Array.from({ length: FOLDERS * FILES_OF_A_FOLDER }, (_, file) =>
    created(`folder${file % FOLDERS}/file${file}.ts`, `export const file = ${file};\n`),
  );
  const large = LINES.join('\n');
  await commit('main', [created('first.txt', large), created('README.md', '# Engine\n'), ...files]);
  const changed = LINES.map((line, index) => (index % 3 === 0 ? `${line} Again.` : line)).join('\n');
  const update = { action: 'update', file_path: 'first.txt', content: changed };
  const { id: sha } = await commit('topic', [update], { start_branch: 'main' });
  await make(`${base}/repository/branches`, { branch: COMPANION, ref: 'main' });
  await make(`${base}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'First' });
  await make(`${base}/releases`, { tag_name: 'v1', name: 'First', description: 'First' });
  const link = { name: 'first', url: 'https://files.example/first' };
  const { id: link_id } = await make<{ id: number }>(`${base}/releases/v1/assets/links`, link);
  const opened = { source_branch: 'topic', target_branch: 'main', title: 'First' };
  const mergeRequest = await make<{ id: number; iid: number }>(`${base}/merge_requests`, opened);
  const address = `${base}/merge_requests/${mergeRequest.iid}`;
  const discussion = await make<{ id: string }>(`${address}/discussions`, { body: 'First' });
  const award = await make<{ id: number }>(`${address}/award_emoji`, { name: 'thumbsup' });
  return {
    sha,
    discussion_id: discussion.id,
    merge_request_iid: mergeRequest.iid,
    merge_request_id: mergeRequest.id,
    version_id: 1,
    award_id: award.id,
    link_id,
  };
};
