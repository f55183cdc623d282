import type { ProjectId } from '../../domain/shared/identifiers.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import { PIPELINE_TOKENS } from '../composition/pipelines.tokens.js';
import { REPOSITORY_TOKENS } from '../composition/repositories.tokens.js';
import { REVIEW_TOKENS } from '../composition/review.tokens.js';
import { WORKSPACE_TOKENS } from '../composition/workspace.tokens.js';
import type { Service } from '../service.js';
import type { Member, Members } from './people.js';

const README = `# Compiler

Translates sums into the steps of a machine:

\`\`\`sh
node compiler.js '1 + 2 + 3'
\`\`\`

- [x] numbers and \`+\`
- [ ] loops, on the branch \`loops\`
`;

const COMPILER = `// The steps of a sum: put each number on the stack, then add.
export const compile = (sum) => {
  const [first, ...rest] = sum.split('+').map(Number);
  return [['push', first], ...rest.flatMap((number) => [['push', number], ['add']])];
};

console.log(compile(process.argv[2] ?? '1 + 2'));
`;

const LOOPS = `// The same steps, so many times.
export const repeat = (times, steps) => Array.from({ length: times }, () => steps).flat();
`;

interface DemoCommit {
  readonly branch: string;
  readonly startBranch?: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

const commit = async (service: Service, project: ProjectId, member: Member, { files, ...made }: DemoCommit) => {
  const { access } = service.container.get(WORKSPACE_TOKENS.workspace);
  const { commitActions } = service.container.get(REPOSITORY_TOKENS.repositories);
  const writer = { id: member.actor.id, admin: false, name: member.name, email: member.email };
  await commitActions.execute(await access.project(member.actor, String(project), 'push_code'), writer, {
    ...made,
    actions: Object.entries(files).map(([path, text]) => ({
      kind: 'create',
      path,
      content: Buffer.from(text),
      executable: false,
    })),
  });
};

const propose = async ({ container }: Service, project: ProjectId, { actor }: Member): Promise<void> => {
  const { access } = container.get(WORKSPACE_TOKENS.workspace);
  const source = await access.project(actor, String(project), 'push_code');
  const target = await access.project(actor, String(project), 'open_merge_requests');
  await container.get(REVIEW_TOKENS.review).mergeRequests.open(actor, source, target, {
    title: 'Repeat steps',
    description: 'Closes #3',
    sourceBranch: 'loops',
    targetBranch: 'main',
  });
};

/** What a build server would tell of the branch that is proposed. */
const check = async ({ container }: Service, project: ProjectId, { actor }: Member): Promise<void> => {
  const { access } = container.get(WORKSPACE_TOKENS.workspace);
  const { revisions } = container.get(REPOSITORY_TOKENS.repositories);
  const place = await access.project(actor, String(project), 'set_commit_statuses');
  const revision = await revisions.find(place, 'loops');
  if (revision === undefined) return;
  const { commitStatuses } = container.get(PIPELINE_TOKENS.pipelines);
  await commitStatuses.tell(actor, place, revision, { name: 'unit tests', status: 'success', coverage: 9_240 });
  await commitStatuses.tell(actor, place, revision, {
    ...{ name: 'build', status: 'running' },
    description: 'Two of three steps are done',
  });
};

/** A few files, and a merge request. Where git is out of reach there is no code. */
export const addCode = async (service: Service, project: ProjectId, { ada, grace }: Members): Promise<void> => {
  try {
    await commit(service, project, ada, {
      branch: 'main',
      message: 'Compile sums',
      files: { 'README.md': README, 'compiler.js': COMPILER },
    });
    await commit(service, project, grace, {
      branch: 'loops',
      startBranch: 'main',
      message: 'Repeat steps',
      files: { 'loops.js': LOOPS },
    });
    await propose(service, project, grace);
    await check(service, project, ada);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
};
