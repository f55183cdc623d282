import { describeEveryPage } from '../support/every-page.js';
import { VIEWERS } from '../support/lived-in-service.js';
import { LOOKS } from '../support/page-survey.js';

describeEveryPage({ viewers: VIEWERS, mostOfKind: 5, looks: LOOKS });
