import type { PermittedCode } from './revisions.js';
import type { RootFiles } from './root-files.js';

/** What a README is called most often, the first that is there. */
const NAMES = ['README.md', 'readme.md', 'README', 'README.rst', 'README.txt'];

/** Which file of the default branch tells what a project is. */
export class Readmes {
  constructor(private readonly files: RootFiles) {}

  async of(permitted: PermittedCode): Promise<string | undefined> {
    return (await this.files.first(permitted, NAMES))?.name;
  }
}
