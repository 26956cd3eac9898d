import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const queries: Topic = {
  id: 'queries',
  label: 'Query Limits',
  questions: [
    {
      id: 'what-counts',
      question: 'What counts as a query?',
      answer: () => (
        <p>
          Each question that you ask, follow-up questions and those of your own programs included.
          Reading earlier answers, listening to them and opening files count nothing.
        </p>
      ),
    },
    {
      id: 'when-reset',
      question: 'When do the limits start again?',
      answer: () => (
        <p>
          The daily limit at midnight UTC, the weekly one on Monday, the monthly one on the first.
          All that your plan has hold at the same time.
        </p>
      ),
    },
    {
      id: 'limits-enforced',
      question: 'Are the limits enforced on this server?',
      answer: () => (
        <p>
          <Link to={`${paths.profile}#billing`}>Billing</Link> and{' '}
          <Link to={paths.pricing}>Pricing</Link> say so. Whoever runs Engram for themselves is not
          to be stopped by it: there use is counted and shown, and stops nobody. Where plans are
          paid with real money, limits are enforced unless whoever runs the server has switched that
          off.
        </p>
      ),
    },
    {
      id: 'limit-reached',
      question: 'What happens when a limit is used up?',
      answer: () => (
        <p>
          Where limits are enforced, a question is refused with the time at which the next one can
          be asked. It costs nothing, and nothing is lost. With credits, one credit pays for one
          question instead.
        </p>
      ),
    },
    {
      id: 'what-are-credits',
      question: 'What are credits, and how do I get them?',
      answer: () => (
        <p>
          Questions on top of your plan’s. An admin of this server can add them to your account, and
          they do not run out with the day. Every change of them is kept on record. To ask for some,
          go to <Link to={paths.contact}>Contact</Link>.
        </p>
      ),
    },
    {
      id: 'see-use',
      question: 'Where do I see how much I have used?',
      answer: () => (
        <p>
          Today’s use stands at the foot of the menu, all of it under{' '}
          <Link to={`${paths.profile}#billing`}>Billing</Link>.
        </p>
      ),
    },
  ],
};
