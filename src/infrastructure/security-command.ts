import type { SecurityCommands } from '../adapters/inbound/cli/security-command.js';
import { SEARCHED_TABLES } from '../adapters/outbound/persistence/knex/storage/searched-tables.js';
import { sha256Digester } from '../adapters/outbound/security/node-secrets.js';
import { tryOpen } from '../application/secret-key/boxes.js';
import { describeFoundSecret, FindSecrets } from '../application/storage/find-secrets.js';
import type { CommandParts } from './command-service.js';
import { boxesOf } from './composition/stored-secrets.js';
import { keysOf, withInstalled } from './storage-ends.js';

/** `gatehouse security …` */
export const createSecurityCommands = ({
  config,
  print,
  tell,
}: Pick<CommandParts, 'config' | 'print' | 'tell'>): SecurityCommands => ({
  testSecurity: async () => {
    const effective = config();
    const { current, previous } = boxesOf(keysOf(effective));
    const boxes = [current, previous].flatMap((each) => (each === undefined ? [] : Object.values(each)));
    const search = new FindSecrets(SEARCHED_TABLES, {
      digest: (text) => sha256Digester.digest(text),
      opens: (sealed) => boxes.some((box) => tryOpen(box, sealed) !== undefined),
    });
    const { values, found, times } = await withInstalled([effective.databaseUrl.reveal()], (end) =>
      end.byPages((rows) => search.execute(rows)),
    );
    found.map(describeFoundSecret).forEach(print);
    if (times > 0) throw new Error(`Found ${times} usable ${times === 1 ? 'secret' : 'secrets'}.`);
    tell(`Looked at ${values} values, and found no usable secret.`);
  },
});
