import { describeExactAnswers } from '../warehouse/versions/exact-answers.js';
import { describeOrdering } from '../warehouse/versions/ordering.js';

describeOrdering(20_000);
describeExactAnswers(300);
