import classes from './plans.module.css';

/** Says that nothing can be bought here, before anybody tries. */
export const PlansNotSold = () => (
  <p className={classes.notSold}>
    <strong>Plans are not sold on this server.</strong> Whoever runs it has set up no payments. What
    the plans hold is shown all the same.
  </p>
);
