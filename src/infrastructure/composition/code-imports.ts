import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { CodeImports } from '../../application/repositories/code-imports.js';
import { ImportCode } from '../../application/repositories/import-code.js';
import { PullCode } from '../../application/repositories/pull-code.js';
import type { CodeImportReader } from '../../application/repositories/ports/code-imports.js';
import type { Pause } from '../../application/shared/while-held.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { createFindAddress } from '../../adapters/outbound/network/find-address.js';
import { HttpRemoteSource } from '../../adapters/outbound/network/http-remote-source.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { KnexCodeImportReader } from '../../adapters/outbound/persistence/knex/repositories/knex-code-import-repository.js';
import type { Get, WorkLoop } from './context.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { mayStillPush } from './rights-since.js';
import { token } from './token.js';
import { TOKENS } from './tokens.js';

/** Code that projects get from elsewhere. */
interface CodeImportUseCases {
  readonly codeImports: CodeImports;
  readonly codeImportReader: CodeImportReader;
  readonly importCode: ImportCode;
  readonly pullCode: PullCode;
}

export const CODE_IMPORTS = token<CodeImportUseCases>('CodeImportUseCases');

/** Ends early, and quietly, with the signal. */
export const pause: Pause = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined);

export const codeImportsModule = new ContainerModule(({ bind }) => {
  bind(CODE_IMPORTS).toResolvedValue(
    (get, { reader }, unitOfWork, secrecy, clock, config) => {
      const repositories = get(REPOSITORY_TOKENS.repositories);
      const { refReader, projectRefs } = repositories;
      const { keeper, intake, objects } = get(REPOSITORY_TOKENS.gitStores);
      const mayReach = createMayReach(config.outboundAllowlist);
      const source = new HttpRemoteSource({ findAddress: createFindAddress(mayReach) });
      const mayPush = mayStillPush(get);
      const parts = { unitOfWork, source, keeper, intake, projectRefs, mayPush, secrecy, pause, clock };
      return {
        codeImports: new CodeImports(unitOfWork, refReader, secrecy.secretBox, mayReach, clock),
        codeImportReader: new KnexCodeImportReader(reader),
        importCode: new ImportCode({ ...parts, logger: get(TOKENS.logger) }),
        pullCode: new PullCode({ ...repositories, unitOfWork, source, intake, objects, clock }),
      };
    },
    [TOKENS.get, TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock, TOKENS.config],
  );
});

export const importLoop = (get: Get): WorkLoop => {
  const { importCode } = get(CODE_IMPORTS);
  const loop = new JobLoop(() => importCode.runDue(), get(TOKENS.logger), 'code could not be imported');
  return { does: 'imports of code', loop, hurryUp: () => importCode.stop() };
};
