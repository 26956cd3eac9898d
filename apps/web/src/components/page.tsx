import type { ReactNode } from 'react';
import { useDocumentTitle } from '../browser/document-title.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Buttons on the right of the title. */
  actions?: ReactNode;
  /** Text pages are set narrow, pages about the product as the home page, lists as wide as the window lets them be. */
  width?: 'text' | 'site' | 'wide';
  children?: ReactNode;
}

/** A page with its heading: names the document and takes the focus when the page opens. */
export function Page({ title, lead, actions, width = 'wide', children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h1 className={classes.title} data-page-heading tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
