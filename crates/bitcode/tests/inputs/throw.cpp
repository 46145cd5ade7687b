// A language with exceptions, which C is not: the decoder still reads it.
// Made by: clang++-N -w -O1 -Xclang -disable-llvm-passes -g -fno-discard-value-names -c -emit-llvm
//          -fdebug-compilation-dir=/inputs throw.cpp -o throw-N.bc      (N = 15, 19)
struct guard { ~guard(); };
int risky(int);
template <typename T> inline T twice(T x) { return x + x; }
namespace space { struct base { virtual int get() const = 0; int data; }; }
int attempt(int n) try {
    guard g;
    return risky(twice(n));
} catch (int e) {
    return e;
} catch (const space::base &b) {
    return b.get();
}
