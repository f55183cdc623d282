import type {
  AuditEntry,
  AuditMeans,
  AuditQuery,
  AuditReader,
} from '../../../../../application/audit/ports/audit-ports.js';
import type { RecordExports } from '../../../../../application/audit/record-exports.js';
import {
  AUDIT_AREAS,
  describeAuditKind,
  isAuditArea,
  isAuditKind,
  kindsOf,
  type AuditKind,
} from '../../../../../domain/audit/audit-kind.js';
import { isCalendarDay } from '../../../../../domain/shared/calendar-day.js';
import { given } from '../../kit/given.js';
import { sendBytes } from '../../send-bytes.js';
import type { PageContext, Pages } from '../page.js';
import { queryText } from '../page-request.js';
import { sendPage } from '../render.js';
import { EXPORT_FORMATS, exportEntries } from './audit-export.js';

export interface AuditPagesParts {
  readonly auditReader: AuditReader;
  readonly recordExports: RecordExports;
}

const PAGE = '/admin/audit_log';
const PER_PAGE = 50;
const DAY_MS = 86_400_000;

const MEANS_WORDS: Readonly<Record<AuditMeans, string>> = {
  browser: 'in a browser',
  personal_access_token: 'by a personal access token',
  application: 'by an application',
  operator: 'at the command line of the server',
  service: 'by the service itself',
  nobody: 'without being signed in',
};

const FILTERS = ['author', 'about', 'what', 'address', 'from', 'to'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

const filtersOf = (context: PageContext): Filters =>
  Object.fromEntries(FILTERS.map((name) => [name, queryText(context, name)])) as Filters;

const kindsIn = (what: string): readonly AuditKind[] | undefined => {
  if (isAuditArea(what)) return kindsOf(what);
  return isAuditKind(what) ? [what] : undefined;
};

/** The first instant of a day; what is no day is ignored, and told. */
const dayIn = (text: string): Date | undefined => (isCalendarDay(text) ? new Date(`${text}T00:00:00.000Z`) : undefined);

const queryOf = ({ author, about, what, address, from, to }: Filters): AuditQuery => {
  const last = dayIn(to);
  return given({
    author: author.replace(/^@/, '') || undefined,
    about: about.replace(/^@/, '') || undefined,
    kinds: kindsIn(what),
    clientAddress: address || undefined,
    from: dayIn(from),
    until: last && new Date(last.getTime() + DAY_MS),
  });
};

const problemOf = ({ from, to }: Filters): string | undefined => {
  const wrong = [from, to].find((day) => day !== '' && dayIn(day) === undefined);
  return wrong === undefined ? undefined : `“${wrong}” is not a date (expected YYYY-MM-DD). All days are shown.`;
};

const present = (entry: AuditEntry) => ({
  ...entry,
  what: describeAuditKind(entry.kind),
  how: MEANS_WORDS[entry.means],
});

const AREAS = Object.entries(AUDIT_AREAS).map(([name, { words, kinds }]) => ({
  name,
  words,
  kinds: Object.entries<string>(kinds),
}));

/** Who did what from where: a list with filters, and all that they find as a file. */
export const addAuditPages = (pages: Pages, { auditReader, recordExports }: AuditPagesParts): void => {
  pages.get(PAGE, 'administrator', async (context) => {
    const { request, response, browser } = context;
    const filters = filtersOf(context);
    const { before } = request.query;
    const from = typeof before === 'string' && /^\d{1,15}$/.test(before) ? Number(before) : undefined;
    const entries = await auditReader.list(queryOf(filters), PER_PAGE + 1, from);
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
    const shown = entries.slice(0, PER_PAGE);
    sendPage(response, browser, 'admin/audit-log', {
      title: 'Audit log',
      entries: shown.map(present),
      areas: AREAS,
      filters,
      query: new URLSearchParams(chosen).toString(),
      older: entries.length > PER_PAGE ? shown.at(-1)?.id : undefined,
      isFirst: from === undefined,
      ...given({ problem: problemOf(filters) }),
    });
  });

  for (const [ending, format] of Object.entries(EXPORT_FORMATS))
    pages.get(`${PAGE}.${ending}`, 'administrator', async (context) => {
      await recordExports.record(ending);
      const entries = exportEntries(auditReader, queryOf(filtersOf(context)), format);
      const headers = {
        'Content-Type': format.type,
        'Content-Disposition': `attachment; filename="audit-log.${ending}"`,
      };
      await sendBytes(context.response, () => Promise.resolve(entries), { status: 200, headers });
    });
};
