import { Page } from '../components/page.tsx';
import { TermsText } from '../features/auth/components/terms-text.tsx';
import classes from './text-page.module.css';

export function TermsPage() {
  return (
    <Page
      title="Terms and Conditions"
      lead="The terms of using this Engram server, in eight short sections."
      width="text"
    >
      <div className={classes.text}>
        <TermsText level={2} />
      </div>
    </Page>
  );
}
