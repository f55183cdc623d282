/** What `git push -o merge_request.…` asks for; what was not given is left out. */
export interface MergeRequestOptions {
  readonly create: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly target?: string;
  /** The title of a milestone. */
  readonly milestone?: string;
  readonly draft: boolean;
  readonly squash: boolean;
  readonly removeSourceBranch: boolean;
  readonly addLabels: readonly string[];
  readonly removeLabels: readonly string[];
  /** Usernames. */
  readonly assign: readonly string[];
  readonly unassign: readonly string[];
}

export interface ReadOptions {
  /** Undefined where none is about merge requests. */
  readonly options: MergeRequestOptions | undefined;
  readonly warnings: readonly string[];
}

const OURS = /^(?:merge_request|mr)\.([^=]*)(?:=(.*))?$/s;
const FLAGS = new Set(['create', 'draft', 'squash', 'remove_source_branch']);
const TEXTS = new Set(['title', 'description', 'target', 'milestone']);
const LISTS = new Set(['label', 'unlabel', 'assign', 'unassign']);
const MERGES_LATER = new Set(['merge_when_pipeline_succeeds', 'auto_merge']);
/** Names of one kind in one push. */
const MOST_NAMES = 100;
const LONGEST_NAME = 60;

/** A terminal shows it. */
const shown = (name: string): string =>
  `merge_request.${name.replace(/[^\u0020-\u007e]/g, '?').slice(0, LONGEST_NAME)}`;

const problemOf = (name: string, value: string | undefined, known: readonly string[]): string | undefined => {
  if (MERGES_LATER.has(name)) return 'has no effect: no pipeline of what is pushed has begun yet.';
  if (FLAGS.has(name)) return value === undefined || value === 'true' ? undefined : 'takes no value, and was ignored.';
  if (!TEXTS.has(name) && !LISTS.has(name)) return 'is unknown, and was ignored.';
  if (value === undefined || value.trim() === '') return 'needs a value, and was ignored.';
  return LISTS.has(name) && known.length >= MOST_NAMES ? `is given more than ${MOST_NAMES} times.` : undefined;
};

/** Reads the options of a push. Of a text that is given twice the last one counts; options about anything else are not looked at. */
export const readMergeRequestOptions = (sent: readonly string[]): ReadOptions => {
  const values = new Map<string, string[]>();
  const warnings = new Set<string>();
  let asked = false;
  for (const option of sent) {
    const [, name, value] = OURS.exec(option) ?? [];
    if (name === undefined) continue;
    asked = true;
    const known = values.get(name) ?? [];
    const problem = problemOf(name, value, known);
    if (problem === undefined) values.set(name, [...known, value ?? '']);
    else warnings.add(`Push option '${shown(name)}' ${problem}`);
  }
  return { options: asked ? optionsIn(values) : undefined, warnings: [...warnings] };
};

const optionsIn = (values: ReadonlyMap<string, readonly string[]>): MergeRequestOptions => {
  const list = (name: string) => [...new Set(values.get(name)?.map((value) => value.trim()))];
  const text = (name: string) => values.get(name)?.at(-1);
  const texts = {
    title: text('title'),
    // An option is one line.
    description: text('description')?.replaceAll('\\n', '\n'),
    target: text('target'),
    milestone: text('milestone'),
  };
  return {
    ...(Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as Partial<typeof texts>),
    create: values.has('create'),
    draft: values.has('draft'),
    squash: values.has('squash'),
    removeSourceBranch: values.has('remove_source_branch'),
    addLabels: list('label'),
    removeLabels: list('unlabel'),
    assign: list('assign'),
    unassign: list('unassign'),
  } as MergeRequestOptions;
};
