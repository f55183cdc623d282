import type { Command } from 'commander';

/** `gatehouse v3 …` */
export interface V3Commands {
  lintV3(files: readonly string[]): Promise<void>;
}

export const addV3Commands = (program: Command, handlers: V3Commands): void => {
  program
    .command('v3')
    .description('the removed version 3 of the API')
    .command('lint')
    .description('find calls of version 3 in logs or code, and say what became of them')
    .argument('<files...>', 'files of text; - is the standard input')
    .action((files: readonly string[]) => handlers.lintV3(files));
};
