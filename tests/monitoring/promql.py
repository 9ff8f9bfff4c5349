"""As much of PromQL as is needed to see which metrics and labels an expression names."""
import re

WORDS = set("""sum max min avg count topk bottomk by without on ignoring group_left group_right and or unless offset bool
rate irate increase changes abs time vector histogram_quantile label_values absent""".split())
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
SELECTOR = re.compile(r"([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}")
MATCHER = re.compile(r'([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"')
GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")



def metrics(expression):
    """The names of metrics in an expression: every word that is none of the language's own."""
    bare = TEXT.sub('""', expression)
    bare = re.sub(r"\{[^}]*\}", " ", bare)
    bare = re.sub(r"\[[^\]]*\]", " ", bare)
    bare = GROUPING.sub(" ", bare)
    bare = re.sub(r"label_values\(([^,]*),[^)]*\)", r"\1", bare)
    bare = re.sub(r"\b\d\w*", " ", bare)
    return {word for word in re.findall(r"[a-zA-Z_:][\w:]*", bare) if word not in WORDS}


def matchers(expression):
    """Each selector's metric with its (label, operator, value)."""
    for name, inside in SELECTOR.findall(expression):
        for label, operator, value in MATCHER.findall(inside):
            yield name, label, operator, value


def grouped(expression):
    """The labels by which something is grouped or matched."""
    return {label.strip() for labels in GROUPING.findall(expression) for label in labels.split(",") if label.strip()}
