"""Users, organisations, members, invitations, tokens and sign-in."""
