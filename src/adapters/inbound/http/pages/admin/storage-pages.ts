import { receiptText } from '../../../../../application/storage/move-receipt.js';
import type { CopiedRows } from '../../../../../application/storage/ports/storage-end.js';
import type {
  KeptReceipt,
  MoveReceipt,
  MoveReceiptReader,
  SignedReceipt,
} from '../../../../../application/storage/ports/move-receipts.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isMoving, type StorageControl } from '../../../../../domain/storage/storage-control.js';
import { pathNumber, type PageContext, type Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { sendPage } from '../render.js';
import type { Check } from './overview-page.js';

export interface StoragePagesParts {
  /** How what is stored is kept. */
  readonly checkStorage: () => Promise<readonly Check[]>;
  readonly moveReceipts: MoveReceiptReader;
  readonly signReceipt: (receipt: MoveReceipt) => Promise<SignedReceipt>;
  /** What the database says of itself, and how far a move from there has come. */
  readonly readMove: () => Promise<{ readonly control: StorageControl; readonly copied: CopiedRows | undefined }>;
}

const PAGE = '/admin/storage';

const STEP_WORDS = {
  looked: 'looked at every value',
  mended: 'replaced what can’t be kept',
  resumed: 'went on with an earlier run',
  copied: 'copied every row',
  'made indexes': 'made the indexes',
  verified: 'compared every row',
  holding: 'caught up, and waited for “gatehouse storage cut” from then on',
  cut: 'cut over',
  'compared again': 'compared every row as of the cut',
} as const satisfies Readonly<Record<keyof MoveReceipt['steps'], string>>;

const SECOND_MS = 1_000;
const inSeconds = (ms: number): string => `${(ms / SECOND_MS).toFixed(1)} s`;
const between = (from: string, to: string): string => inSeconds(Date.parse(to) - Date.parse(from));

/** How long each step took, in their order: from the one before. */
const durationsOf = ({ started, steps }: MoveReceipt) => {
  let before = started;
  return Object.entries(steps)
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([step, at]) => {
      const took = between(before, at);
      before = at;
      return { words: STEP_WORDS[step as keyof typeof STEP_WORDS], took };
    });
};

const present = ({ id, receipt }: KeptReceipt) => {
  const tables = Object.entries(receipt.tables).map(([name, { source, target }]) => ({ name, source, target }));
  return {
    id,
    receipt,
    tables,
    startedAt: new Date(receipt.started),
    rows: tables.reduce((sum, { target }) => sum + target.rows, 0),
    took: between(receipt.started, receipt.ended),
    durations: durationsOf(receipt),
    equal: receipt.verified.asOfCut,
  };
};

/** Where an installation is stored, and the receipts of the moves that brought it there. */
export const addStoragePages = (pages: Pages, parts: StoragePagesParts): void => {
  const { checkStorage, moveReceipts, signReceipt, readMove } = parts;
  const findReceipt = async ({ request }: PageContext): Promise<KeptReceipt> => {
    const found = await moveReceipts.find(pathNumber(request));
    if (found === undefined) throw new NotFound('Receipt');
    return found;
  };

  pages.get(PAGE, 'administrator', async (context) => {
    const request = pageRequest(context);
    const [checks, { control, copied }, page] = await Promise.all([
      checkStorage(),
      readMove(),
      moveReceipts.list(request),
    ]);
    sendPage(context.response, context.browser, 'admin/storage', {
      title: 'Storage',
      checks,
      page: { ...page, items: page.items.map(present) },
      request,
      move: isMoving(control) ? { ...control, copied } : undefined,
    });
  });

  pages.get(`${PAGE}/:id`, 'administrator', async (context) => {
    sendPage(context.response, context.browser, 'admin/storage-receipt', {
      title: 'Receipt of a move',
      ...present(await findReceipt(context)),
    });
  });

  pages.get(`${PAGE}/:id/receipt.json`, 'administrator', async (context) => {
    const { receipt } = await findReceipt(context);
    const text = receiptText(await signReceipt(receipt));
    context.response.attachment(`gatehouse-move-${receipt.move}.json`).type('json').send(text);
  });
};
