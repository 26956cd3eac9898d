import { Fragment } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { terms } from '../terms.ts';

interface TermsTextProps {
  /** 2 on a page of its own, 3 below a dialog's title. */
  level: 2 | 3;
  /** Opens the privacy policy beside the dialog that would be lost otherwise. */
  newTab?: boolean;
}

/** The eight sections of the terms. */
export function TermsText({ level, newTab = false }: TermsTextProps) {
  const Heading = `h${level}` as const;
  return terms.map(({ title, text }, index) => (
    <Fragment key={title}>
      <Heading>
        {index + 1}. {title}
      </Heading>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {title === 'Privacy' && (
        <p>
          <Link to={paths.privacy} {...(newTab ? { target: '_blank' } : {})}>
            Read the Privacy Policy
          </Link>
        </p>
      )}
    </Fragment>
  ));
}
