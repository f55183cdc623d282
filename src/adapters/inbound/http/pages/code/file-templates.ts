import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Templates } from '../../../../../application/templates/templates.js';
import { ownCiFiles } from '../../../../../domain/shared/ci-config-path.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import { field } from '../form-fields.js';
import { queryText } from './query.js';

interface Group {
  readonly words: string;
  readonly choices: readonly { readonly value: string; readonly words: string; readonly chosen: boolean }[];
}

export interface BegunFile {
  readonly name: string;
  readonly content: string;
}

/** What a file begins with that begins with no template. */
const EMPTY: BegunFile = { name: '', content: '' };

/** What a file is called that begins as one of a kind, where the project doesn't say otherwise. */
const KINDS = [
  { kind: 'gitignores', words: '.gitignore', name: '.gitignore' },
  { kind: 'gitlab_ci_ymls', words: 'CI', name: '.platform-ci.yml' },
  { kind: 'dockerfiles', words: 'Dockerfile', name: 'Dockerfile' },
] as const;
const LICENSES = 'licenses';
const LICENSE_FILE = 'LICENSE';

/** The template that is chosen: the form says it, or the address, as in `?template=gitignores/Node`. */
export const chosenTemplate = (context: PageContext): string =>
  context.request.method === 'POST' ? field(context.request, 'template') : queryText(context, 'template');

/** The templates that a new file can begin with. */
export class FileTemplates {
  constructor(
    private readonly templates: Templates,
    private readonly users: Pick<UserReader, 'find'>,
  ) {}

  async choices(context: PageContext): Promise<readonly Group[]> {
    const chosen = chosenTemplate(context);
    const choice = (kind: string, key: string, words: string) => {
      const value = `${kind}/${key}`;
      return { value, words, chosen: value === chosen };
    };
    const licenses = this.templates.licenses().map(({ key, name }) => choice(LICENSES, key, name));
    const others = KINDS.map(async ({ kind, words }) => {
      const keys = await this.templates.keys(kind);
      return { words, choices: keys.map((key) => choice(kind, key, key)) };
    });
    return [{ words: LICENSE_FILE, choices: licenses }, ...(await Promise.all(others))];
  }

  /** Empty where none is chosen, or one that there isn't. */
  async begin(context: PageContext, project: Project, chosen: string): Promise<BegunFile> {
    return (await this.#find(context, project, chosen)) ?? EMPTY;
  }

  async #find(context: PageContext, project: Project, chosen: string): Promise<BegunFile | undefined> {
    const [, kind, key = ''] = /^([^/]+)\/(.+)$/.exec(chosen) ?? [];
    if (kind === LICENSES) {
      const person = await this.users.find(actorOf(context.browser).id);
      const blanks = { project: project.name, ...(person === undefined ? {} : { holder: person.name }) };
      const license = await this.templates.license(key, blanks);
      return license && { name: LICENSE_FILE, content: license.content };
    }
    const named = KINDS.find((each) => each.kind === kind);
    const template = named && (await this.templates.find(named.kind, key));
    const [own] = named?.kind === 'gitlab_ci_ymls' ? ownCiFiles(project.ciConfigPath) : [];
    return named && template && { name: own ?? named.name, content: template.content };
  }
}
