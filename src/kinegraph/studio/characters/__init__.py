"""Characters of the workspace: the bodies that the stage and exports can put motions on."""
