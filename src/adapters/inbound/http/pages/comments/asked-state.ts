import type { StateEvent } from '../../../../../application/collaboration/quick-actions.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const EVENTS = ['close', 'reopen'] as const;

/** How the button that sent a comment closes or reopens what it is about, if it does. */
export const askedState = ({ request }: PageContext): StateEvent | undefined =>
  EVENTS.find((event) => event === field(request, 'state_event'));
