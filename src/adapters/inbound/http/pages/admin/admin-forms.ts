import type { OrdinaryForm, SensitiveForm } from '../profile-forms.js';

const changing = { act: { asks: 'change somebody’s account' } } as const;
const PAUSING = 'what a runner runs goes on, and the other form undoes it';
const QUEUES = 'does sooner what is done anyway, for whom it was meant';

/** Every form of administrators. */
export const ADMIN_FORMS = {
  '/admin/users': { act: { asks: 'create an account' } },
  '/admin/users/:id': changing,
  '/admin/users/:id/block': changing,
  '/admin/users/:id/unblock': changing,
  '/admin/users/:id/promote': changing,
  '/admin/users/:id/demote': changing,
  '/admin/users/:id/disable_two_factor': changing,
  '/admin/users/:id/send_password_link': changing,
  '/admin/applications': { act: { asks: 'register an application for everybody' } },
  '/admin/applications/:id/remove': { act: { asks: 'remove an application' } },
  '/admin/runners': { act: { asks: 'make a runner for the jobs of every project' } },
  '/admin/runners/:id/remove': { act: { asks: 'remove a runner' } },
  '/admin/runners/:id/pause': { ordinary: PAUSING },
  '/admin/runners/:id/resume': { ordinary: PAUSING },
  '/admin/mails/:id/send_again': { ordinary: QUEUES },
  '/admin/jobs/:id/run': { ordinary: QUEUES },
} as const satisfies Readonly<Record<string, SensitiveForm | OrdinaryForm>>;
