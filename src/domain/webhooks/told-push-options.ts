/** The options of a push as receivers of webhooks read them: by what they are about, then by name. */
export type ToldPushOptions = Readonly<Record<string, Readonly<Record<string, ToldValue>>>>;
/** True without a value; of what may be given several times, how often each value was. */
type ToldValue = string | true | Readonly<Record<string, number>>;

const ONCE = new Set([
  'ci.skip',
  'integrations.skip_ci',
  ...[
    ...['create', 'target', 'target_project', 'title', 'description', 'draft', 'milestone', 'squash'],
    ...['remove_source_branch', 'merge_when_pipeline_succeeds', 'auto_merge'],
  ].map((name) => `merge_request.${name}`),
]);
const OFTEN = new Set([
  ...['ci.variable', 'ci.input'],
  ...['label', 'unlabel', 'assign', 'unassign'].map((name) => `merge_request.${name}`),
]);

/** A push may have more; each webhook keeps them for each ref until it was sent. */
const MOST_TOLD = 100;
const MOST_CHARACTERS = 10_000;

/** What is known among the options of a push, as much of it as there is room for. */
export const toldPushOptions = (sent: readonly string[]): ToldPushOptions => {
  const told = new Map<string, Map<string, ToldValue>>();
  let room = MOST_CHARACTERS;
  for (const option of sent.slice(0, MOST_TOLD)) {
    const { about, name, value } = partsOf(option);
    const key = `${about}.${name}`;
    if (!ONCE.has(key) && !OFTEN.has(key)) continue;
    if ((room -= option.length) < 0) break;
    const of = told.get(about) ?? new Map<string, ToldValue>();
    of.set(name, OFTEN.has(key) ? counted(of.get(name), value) : value === '' || value);
    told.set(about, of);
  }
  return Object.fromEntries([...told].map(([about, of]) => [about, Object.fromEntries(of)]));
};

const partsOf = (option: string) => {
  const equals = option.indexOf('=');
  const [key, value] = equals < 0 ? [option, ''] : [option.slice(0, equals), option.slice(equals + 1)];
  const dot = key.indexOf('.');
  const about = key.slice(0, Math.max(dot, 0));
  return { about: about === 'mr' ? 'merge_request' : about, name: key.slice(dot + 1), value };
};

const counted = (before: ToldValue | undefined, value: string): ToldValue => {
  const counts = new Map(typeof before === 'object' ? Object.entries(before) : []);
  return Object.fromEntries(counts.set(value, (counts.get(value) ?? 0) + 1));
};
