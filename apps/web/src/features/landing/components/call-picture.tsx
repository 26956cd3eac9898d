import classes from './pictures.module.css';

/** A call of a program of one's own, and its answer. */
export const CallPicture = () => (
  <span className={classes.code}>
    <span>POST /v1/search</span>
    <span>{'{ "text": "When is the boiler due?" }'}</span>
    <span className={classes.answer}>{'"answers": ["In May 2028 [1]."]'}</span>
  </span>
);
