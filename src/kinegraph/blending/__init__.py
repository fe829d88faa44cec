"""From a walk to a motion: edges laid one after another, transitions blended."""
